import { createSchemaConverter } from '../../server-runtime/openapi/schemas/schema-converter.ts';
import { type SchemaPlace, shareSchemas } from '../../server-runtime/openapi/schemas/share-schemas.ts';
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
  /** The schemas that occur more than once, to which the others refer as `#/components/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Says each schema once, however many capabilities take or give it. */
export function shareContextSchemas(operations: readonly Operation[]): SharedContextSchemas {
  const { convert, definitions } = createSchemaConverter();
  const places: SchemaPlace[] = [];
  const toPlace = (schema: Parameters<typeof convert>[0] | undefined, name: string): number | undefined =>
    schema === undefined ? undefined : places.push({ json: convert(schema), name }) - 1;
  const drafts = operations.map(({ name, definition }) => {
    const base = name.charAt(0).toUpperCase() + name.slice(1);
    const input = toPlace(definition.schema, `${base}Input`);
    return { input, answers: definition.answers.map(({ schema }) => toPlace(schema, `${base}Output`)) };
  });
  const { schemas, components } = shareSchemas(places, definitions);
  const find = (index: number | undefined): JsonSchema | undefined =>
    index === undefined ? undefined : schemas[index];
  return {
    operations: drafts.map(({ input, answers }) => ({ input: find(input), answers: answers.map(find) })),
    schemas: components,
  };
}
