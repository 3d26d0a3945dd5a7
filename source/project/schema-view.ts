import type { Schema } from '../../server-runtime/schema/schema.ts';
import { type JsonSchema, toJsonSchema } from '../../server-runtime/schema/to-json-schema.ts';

/** A schema as data. */
export interface SchemaView {
  /**
   * JSON Schema made by the project's own zod. What JSON cannot say is marked by {@link KIND_KEYWORD}: `{"x-kind": "date"}`.
   */
  readonly json: JsonSchema;
}

/** zod's name of a kind of value that JSON Schema has no word for. */
export const KIND_KEYWORD = 'x-kind';

/** Never throws: a schema that zod cannot convert admits anything. */
export function toSchemaView(schema: Schema | undefined, io: 'input' | 'output'): SchemaView | undefined {
  if (schema === undefined) return undefined;
  try {
    return { json: toJsonSchema(schema, { io, onNode: ({ type, json }) => markKind(type, json) }) };
  } catch {
    return { json: {} };
  }
}

function markKind(type: string, json: JsonSchema): void {
  if (unrepresentable.has(type) && json['type'] === undefined) json[KIND_KEYWORD] = type;
}

const unrepresentable: ReadonlySet<string> = new Set([
  'date',
  'bigint',
  'symbol',
  'undefined',
  'void',
  'map',
  'set',
  'file',
  'custom',
  'function',
  'promise',
  'nan',
]);
