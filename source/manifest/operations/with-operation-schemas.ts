import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { toSchemaView } from '../../shape/schema-view.ts';
import type { ManifestOperation } from '../manifest.ts';

/** The same capabilities with the schemas of their operations, which have the same order. */
export function withOperationSchemas<Each extends ManifestOperation>(
  capabilities: readonly Each[],
  operations: readonly Operation[],
): readonly Each[] {
  return capabilities.map((capability, index) => ({
    ...capability,
    input: toSchemaView(operations[index]?.definition.schema, 'input'),
    output: toSchemaView(operations[index]?.definition.output, 'output'),
    answers: capability.answers.map((answer, at) => {
      const declared = operations[index]?.definition.answers[at];
      const headers = Object.entries(declared?.headers ?? {}).map(([name, schema]) => [
        name,
        toSchemaView(schema, 'output'),
      ]);
      return { ...answer, schema: toSchemaView(declared?.schema, 'output'), headers: Object.fromEntries(headers) };
    }),
  }));
}
