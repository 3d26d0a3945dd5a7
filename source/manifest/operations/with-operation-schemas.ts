import type { CapabilityDefinition } from '../../../server-runtime/capability/capability-definition.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { type SchemaView, toSchemaView } from '../../shape/schema-view.ts';
import type { ManifestOperation } from '../manifest.ts';

/** The same capabilities with the schemas of their operations, which have the same order. */
export function withOperationSchemas<Each extends ManifestOperation>(
  capabilities: readonly Each[],
  operations: readonly Operation[],
): readonly Each[] {
  return capabilities.map((capability, index) => {
    const definition = operations[index]?.definition;
    const { input, output, answers } = definition === undefined ? noSchemas : toOperationSchemas(definition);
    return {
      ...capability,
      input,
      output,
      answers: capability.answers.map((answer, at) => ({
        ...answer,
        schema: answers[at]?.schema,
        headers: answers[at]?.headers ?? {},
      })),
    };
  });
}

interface OperationSchemas {
  readonly input: SchemaView | undefined;
  readonly output: SchemaView | undefined;
  /** The schemas of the declared answers, in their order. */
  readonly answers: readonly {
    readonly schema: SchemaView | undefined;
    readonly headers: Readonly<Record<string, SchemaView | undefined>>;
  }[];
}

const noSchemas: OperationSchemas = { input: undefined, output: undefined, answers: [] };
const known = new WeakMap<CapabilityDefinition, OperationSchemas>();

/** The schemas of a declaration as data, made once. */
export function toOperationSchemas(definition: CapabilityDefinition): OperationSchemas {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const schemas = {
    input: toSchemaView(definition.schema, 'input'),
    output: toSchemaView(definition.output, 'output'),
    answers: definition.answers.map(({ schema, headers }) => ({
      schema: toSchemaView(schema, 'output'),
      headers: Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, toSchemaView(each, 'output')])),
    })),
  };
  known.set(definition, schemas);
  return schemas;
}
