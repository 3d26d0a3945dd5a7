import { createSchemaConverter } from '../../server-runtime/openapi/schemas/schema-converter.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';

/** The schemas of one capability. */
export interface ContextSchemas {
  readonly input: JsonSchema | undefined;
  /** The schemas of its declared answers, in their order. */
  readonly answers: readonly (JsonSchema | undefined)[];
}

export interface SharedContextSchemas {
  /** In the order of the operations. */
  readonly operations: readonly ContextSchemas[];
  /** The schemas that have a name or contain themselves, to which the others refer as `#/components/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Says each schema that has a name once, however many capabilities take or give it. */
export function shareContextSchemas(operations: readonly Operation[]): SharedContextSchemas {
  const { convert, components } = createSchemaConverter();
  const contexts = operations.map(({ name, definition: { schema, answers } }): ContextSchemas => {
    const base = name.charAt(0).toUpperCase() + name.slice(1);
    return {
      input: schema && convert({ schema, name: `${base}Input` }),
      answers: answers.map(
        (answer) => answer.schema && convert({ schema: answer.schema, io: 'output', name: `${base}Output` }),
      ),
    };
  });
  return { operations: contexts, schemas: components };
}
