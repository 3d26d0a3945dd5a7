import type { CapabilityDefinition } from '../../../server-runtime/capability/capability-definition.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { type SchemaView, toSchemaView } from '../../document/schema-view.ts';
import { rememberByObject } from '../remember-by-object.ts';

/** The schemas of an operation as data. */
export interface OperationSchemas {
  readonly input: SchemaView | undefined;
  readonly output: SchemaView | undefined;
  /** The schemas of the declared answers, in their order. */
  readonly answers: readonly {
    readonly schema: SchemaView | undefined;
    readonly headers: Readonly<Record<string, SchemaView>>;
  }[];
}

/** Each schema is made data once, however many operations have it. */
export function toOperationSchemas({ schema, output, answers }: CapabilityDefinition): OperationSchemas {
  return {
    input: schema && toInput(schema),
    output: output && toOutput(output),
    answers: answers.map((answer) => ({
      schema: answer.schema && toOutput(answer.schema),
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, each]) => [name, toOutput(each)])),
    })),
  };
}

const toInput = rememberByObject((schema: Schema) => toSchemaView(schema, 'input'));
const toOutput = rememberByObject((schema: Schema) => toSchemaView(schema, 'output'));
