import { type $ZodType, toJSONSchema } from 'zod/v4/core';
import { definitionOf, isZodSchema, type Schema, type ZodSchema } from './schema.ts';
import { visitStandardJson } from './standard/visit-standard-json.ts';

/** A JSON Schema of draft 2020-12, as a plain object. */
export type JsonSchema = {
  /** The value of a keyword. */
  [keyword: string]: unknown;
};

export interface ToJsonSchemaOptions {
  /** The side of a schema: what a caller sends (`input`: fields with a default are optional) or what the handler gets and gives (`output`). */
  readonly io: 'input' | 'output';
  /** Called for every schema inside, innermost first; may change `json` in place. */
  readonly onNode?: ((node: SchemaNode) => void) | undefined;
}

export interface SchemaNode {
  readonly schema: Schema;
  /** zod's name of its kind: `'date'`, `'custom'`. */
  readonly type: string;
  readonly json: JsonSchema;
}

/**
 * The JSON Schema of a schema, made by the schema's own library, and its own copy of it: another copy loses constraints without a word. What JSON cannot
 * say (dates, bigints, custom types such as files, transforms) is `{}`, which admits anything. Schemas that contain themselves refer to
 * themselves by `$ref: '#'` and `$defs`. Without `$schema`, since documents say the dialect once.
 */
export function toJsonSchema(schema: Schema, { io, onNode }: ToJsonSchemaOptions): JsonSchema {
  if (!isZodSchema(schema)) return visitStandardJson(schema, { io, onNode });
  const options = {
    io,
    unrepresentable: 'any' as const,
    override: ({ zodSchema, jsonSchema }: { readonly zodSchema: Schema; readonly jsonSchema: object }) =>
      onNode?.({ schema: zodSchema, type: definitionOf(zodSchema).type, json: jsonSchema as JsonSchema }),
  };
  const { $schema: _dialect, ...json } = writeZodJson(schema, options) as JsonSchema;
  return json;
}

/** Schemas of zod/mini have no method of their own, and that of zod throws for one that holds them. */
function writeZodJson(schema: ZodSchema, options: object): object {
  const own = (schema as { readonly toJSONSchema?: (params: object) => object }).toJSONSchema;
  if (own === undefined) return toJSONSchema(schema as $ZodType, options);
  try {
    return own.call(schema, options);
  } catch {
    return toJSONSchema(schema as $ZodType, options);
  }
}
