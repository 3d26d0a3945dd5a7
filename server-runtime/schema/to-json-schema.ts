import { type $ZodType, globalRegistry, toJSONSchema } from 'zod/v4/core';
import { correctZodJson } from './correct-zod-json.ts';
import { type JsonSchema, type MarkedSchema, mapSubschemas } from './json-schema.ts';
import type { JsonBranch } from './lens.ts';
import { isOfOurZod, isZodSchema, type Schema, type SchemaSide } from './schema.ts';
import { toPortableSchema } from './to-portable-schema.ts';
import { toStandardJson } from './to-standard-json.ts';

/** Called with every schema of zod inside another one, innermost first; it may change the `json` in place. */
export type OnNode = (schema: Schema, json: MarkedSchema) => void;

/**
 * The JSON Schema of a value as it is sent, with marks: dates and bigints are texts, and a value that JSON cannot hold
 * is `{}`.
 */
export function toJsonSchema(schema: Schema, io: SchemaSide, onNode?: OnNode): JsonSchema {
  const { $defs, ...own } = toBareJson(schema, io, (inner, json) => {
    correctZodJson(inner, json, io);
    onNode?.(inner, json);
  });
  // `$defs` stay outside: the choice of null and something else must not contain the schemas that it refers to.
  const json = {
    ...withoutNothing(own, io),
    ...($defs !== undefined && withoutNothing({ $defs }, io)),
  };
  return toPortableSchema(json);
}

/** The JSON Schema as the library writes it, of values in the program. */
export function toBareJson(schema: Schema, io: SchemaSide, onNode: OnNode): JsonSchema {
  if (!isZodSchema(schema)) return toStandardJson(schema, io);
  const params = {
    io,
    unrepresentable: 'any' as const,
    metadata: createRegistry(),
    override: ({
      zodSchema,
      jsonSchema,
    }: {
      readonly zodSchema: Schema;
      readonly jsonSchema: object;
    }) => onNode(zodSchema, jsonSchema as MarkedSchema),
  };
  // Another version of zod loses constraints without a word.
  const { toJSONSchema: writeOwn } = (isOfOurZod(schema) ? {} : schema) as {
    toJSONSchema?: (options: object) => object;
  };
  const written = writeOwn?.call(schema, params) ?? toJSONSchema(schema as $ZodType, params);
  const { $schema: _dialect, ...json } = { ...written } as JsonSchema;
  return json;
}

/** The words of authors about schemas, with one name for each schema: zod throws where two have the same. */
function createRegistry(): typeof globalRegistry {
  const owners = new Map<string, $ZodType>();
  const get = (schema: $ZodType): object | undefined => {
    const meta = globalRegistry.get(schema);
    if (meta?.id === undefined) return meta;
    let id = meta.id;
    for (let count = 2; (owners.get(id) ?? schema) !== schema; count++) id = `${meta.id}${count}`;
    owners.set(id, schema);
    return id === meta.id ? meta : { ...meta, id, 'x-capix-id': meta.id };
  };
  return { get } as typeof globalRegistry;
}

/** Describes how JSON writes undefined: objects leave it out, and elsewhere in an answer it is null. */
function withoutNothing(original: MarkedSchema, io: SchemaSide, isField = false): JsonSchema {
  const { 'x-capix-nothing': isNothing, ...json } = mapSubschemas(original, (inner, step) =>
    withoutNothing(inner, io, step !== undefined && step !== '[]'),
  );
  const { properties: fields = {}, required } = original as Partial<JsonBranch>;
  const left = Object.keys(fields).filter((name) => fields[name]?.['x-capix-nothing'] === true);
  if (required !== undefined) json['required'] = required.filter((name) => !left.includes(name));
  for (const name of left)
    if ('not' in (fields[name] ?? {})) delete (json['properties'] as JsonSchema)[name];
  if (isNothing !== true || isField || io === 'input') return json;
  return 'not' in json ? { type: 'null' } : { anyOf: [json, { type: 'null' }] };
}
