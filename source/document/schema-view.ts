import { CHECKS } from '../../server-runtime/openapi/schemas/schema-converter.ts';
import { findFileRules } from '../../server-runtime/schema/find-file-rules.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { type JsonSchema, type SchemaNode, toJsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { toZodChecks } from './note-checks.ts';

/** A schema as data. */
export interface SchemaView {
  /**
   * JSON Schema made by the project's own zod, with the marks of a document: what JSON cannot say is `{"x-capix-kind": "date"}`, an uploaded file
   * a binary string with its rules, and checks that are code have a word each.
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
  const checks = toZodChecks(schema, type).filter((check) => check.startsWith('code '));
  if (checks.length > 0) json[CHECKS] = checks;
  const file = type === 'custom' ? findFileRules(schema) : undefined;
  if (file !== undefined) {
    const { maxSize, accept } = file;
    Object.assign(json, { type: 'string', format: 'binary', 'x-capix-file': { maxSize, accept } });
  } else if (unrepresentable.has(type) && json['type'] === undefined) json['x-capix-kind'] = type;
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
