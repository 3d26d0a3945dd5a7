import { isFileSchema } from '../../server-runtime/input/is-file-schema.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { type JsonSchema, type SchemaNode, toJsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { KIND_KEYWORD } from './schema-type.ts';

/** A schema as data. */
export interface SchemaView {
  /**
   * JSON Schema made by the project's own zod. What JSON cannot say is marked by {@link KIND_KEYWORD}: `{"x-kind": "date"}`; an uploaded
   * file is a binary string, as in the OpenAPI document.
   */
  readonly json: JsonSchema;
}

/** Never throws: a schema that zod cannot convert admits anything. */
export function toSchemaView(schema: Schema | undefined, io: 'input' | 'output'): SchemaView | undefined {
  if (schema === undefined) return undefined;
  try {
    return { json: toJsonSchema(schema, { io, onNode: markKind }) };
  } catch {
    return { json: {} };
  }
}

function markKind({ schema, type, json }: SchemaNode): void {
  if (type === 'custom' && json['type'] === undefined && isFileSchema(schema))
    Object.assign(json, { type: 'string', format: 'binary' });
  else if (unrepresentable.has(type) && json['type'] === undefined) json[KIND_KEYWORD] = type;
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
