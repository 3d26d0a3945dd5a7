import { type $ZodType, globalRegistry, toJSONSchema } from 'zod/v4/core';
import { MARKS } from './marks.ts';
import { definitionOf, isZodSchema, type Schema, type SchemaSide, type ZodSchema } from './schema.ts';
import { toStandardJson } from './standard-json.ts';

/** A JSON Schema of draft 2020-12, as a plain object. */
export type JsonSchema = {
  /** The value of a keyword. */
  [keyword: string]: unknown;
};

export interface ToJsonSchemaOptions {
  /** The side of a schema: what a caller sends (`input`) or what the handler gets and gives (`output`). */
  readonly io: SchemaSide;
  /** Called for every schema of zod inside, innermost first; may change `json` in place. */
  readonly onNode?: ((node: SchemaNode) => void) | undefined;
}

export interface SchemaNode {
  readonly schema: Schema;
  /** zod's name of its kind: `'date'`, `'custom'`. */
  readonly type: string;
  readonly json: JsonSchema;
}

/**
 * The JSON Schema of a schema, made by the schema's own library, and its own copy of it: another copy loses constraints
 * without a word. What JSON cannot say (dates, bigints, custom types such as files, transforms) is `{}`, which admits
 * anything. Schemas that contain themselves refer to themselves by `$ref: '#'` and `$defs`. Without `$schema`, since
 * documents say the dialect once.
 */
export function toJsonSchema(schema: Schema, { io, onNode }: ToJsonSchemaOptions): JsonSchema {
  if (!isZodSchema(schema)) return toStandardJson(schema, io);
  const options = {
    io,
    unrepresentable: 'any' as const,
    metadata: createRegistry(),
    override: ({ zodSchema, jsonSchema }: { readonly zodSchema: Schema; readonly jsonSchema: object }) =>
      onNode?.({ schema: zodSchema, type: definitionOf(zodSchema).type, json: jsonSchema as JsonSchema }),
  };
  const { $schema: _dialect, ...json } = writeZodJson(schema, options) as JsonSchema;
  return json;
}

/** The words of authors about schemas, with one name for each schema: zod throws where two have the same. */
function createRegistry(): { readonly get: (schema: $ZodType) => object | undefined } {
  const owners = new Map<string, $ZodType>();
  return {
    get: (schema) => {
      const { meta: own } = schema as { readonly meta?: () => { readonly id?: string } | undefined };
      const meta = own === undefined ? globalRegistry.get(schema) : own.call(schema);
      if (meta?.id === undefined) return meta;
      let id = meta.id;
      for (let count = 2; (owners.get(id) ?? schema) !== schema; count++) id = `${meta.id}${count}`;
      owners.set(id, schema);
      return id === meta.id ? meta : { ...meta, id, [MARKS]: { id: meta.id } };
    },
  };
}

/** Schemas of zod/mini have no method of their own, and that of zod throws for one that holds them. */
function writeZodJson(schema: ZodSchema, options: object): object {
  const own = (schema as { readonly toJSONSchema?: (params: object) => object }).toJSONSchema;
  if (own === undefined) return toJSONSchema(schema as $ZodType, options);
  try {
    return own.call(schema, options);
  } catch (thrown) {
    try {
      return toJSONSchema(schema as $ZodType, options);
    } catch {
      // A getter of the application that threw is not run again: the second attempt would tell of what it left
      // undefined.
      throw thrown;
    }
  }
}
