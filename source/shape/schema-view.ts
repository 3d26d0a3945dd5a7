import { findFileRules } from '../../server-runtime/schema/find-file-rules.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { type JsonSchema, type SchemaNode, toJsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { toCheckMarks } from './check-marks.ts';
import { CHECKS_KEYWORD, FILE_KEYWORD, KIND_KEYWORD } from './read/schema-json.ts';

/** A schema as data. */
export interface SchemaView {
  /**
   * JSON Schema made by the project's own zod. What JSON cannot say is marked by {@link KIND_KEYWORD}: `{"x-kind": "date"}`; an uploaded
   * file is a binary string, as in the OpenAPI document, with its rules by {@link FILE_KEYWORD}: `{"x-file": {"maxSize": 1000}}`. Checks that are
   * code have marks by {@link CHECKS_KEYWORD}.
   */
  readonly json: JsonSchema;
}

/** Never throws: a schema that zod cannot convert admits anything. */
export function toSchemaView(schema: Schema, io: 'input' | 'output'): SchemaView;
export function toSchemaView(schema: Schema | undefined, io: 'input' | 'output'): SchemaView | undefined;
export function toSchemaView(schema: Schema | undefined, io: 'input' | 'output'): SchemaView | undefined {
  if (schema === undefined) return undefined;
  try {
    return { json: toJsonSchema(schema, { io, onNode: markKind }) };
  } catch {
    return { json: {} };
  }
}

function markKind({ schema, type, json }: SchemaNode): void {
  const checks = toCheckMarks(schema);
  if (checks.length > 0) json[CHECKS_KEYWORD] = checks;
  const file = type === 'custom' ? findFileRules(schema) : undefined;
  if (file !== undefined) {
    const { maxSize, accept } = file;
    Object.assign(json, { type: 'string', format: 'binary', [FILE_KEYWORD]: { maxSize, accept } });
  } else if (unrepresentable.has(type) && json['type'] === undefined) json[KIND_KEYWORD] = type;
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
