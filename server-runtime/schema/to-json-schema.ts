import { type $ZodType, globalRegistry, regexes, toJSONSchema } from 'zod/v4/core';
import type { JsonSchema } from './json-schema.ts';
import { MARKS, marksOf } from './json-schema.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type SchemaDefinition,
  type SchemaSide,
  type ZodSchema,
} from './schema.ts';
import { toStandardJson } from './standard-json.ts';

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

/**
 * Corrects what zod says of a text: a regular expression with flags, which JSON Schema has not, is said in words; the
 * one by which zod tests a format goes where the format says the same; a format says no more than is taken, and what is
 * none goes.
 */
export function describeText(schema: Schema, json: JsonSchema): void {
  const { format, pattern, allOf = [] } = json as { format?: string; pattern?: string; allOf?: readonly JsonSchema[] };
  const sources = [pattern, ...allOf.map((part) => part['pattern'])].filter((source) => typeof source === 'string');
  const { checks = [] } = definitionOf(schema);
  const tests = new Map([schema, ...checks].map(definitionOf).map((test) => [toExpression(test)?.source, test]));
  const isFlagged = (source: string): boolean => /[imsv]/.test(toExpression(tests.get(source))?.flags ?? '');
  const words = sources.filter(isFlagged).map((source) => `Matches ${String(tests.get(source)?.pattern)}.`);
  const kept = sources
    .filter((source) => !isFlagged(source))
    .map((source) => (format === undefined ? source : toRest(source, tests.get(source))))
    .filter((source) => source !== '');
  delete json['pattern'];
  delete json['allOf'];
  if (kept.length === 1) json['pattern'] = kept[0];
  else if (kept.length > 1) json['allOf'] = kept.map((each) => ({ pattern: each }));
  if (words.length > 0) json[MARKS] = { ...marksOf(json), words: words.join(' ') };
  if (format !== undefined && noFormats.has(format)) delete json['format'];
}

/** The names by which zod tells what a text has in it, and a format that admits less than zod does. */
const noFormats: ReadonlySet<unknown> = new Set(
  'includes starts_with ends_with lowercase uppercase regex duration'.split(' '),
);

function toExpression({ pattern }: Partial<SchemaDefinition> = {}): RegExp | undefined {
  return pattern instanceof RegExp ? pattern : undefined;
}

/** The formats that say all that the expressions of zod do. */
const whole: ReadonlySet<string> = new Set(
  [regexes.date, regexes.email, regexes.uuid(), regexes.guid, regexes.ipv4, regexes.ipv6].map(({ source }) => source),
);

/** The part of an expression that the format beside it does not say: of a date-time its fractions and its zone. */
function toRest(
  source: string,
  { format, precision, offset = false, local = false }: Partial<SchemaDefinition> = {},
): string {
  if (whole.has(source)) return '';
  const isOwn = format === 'datetime' && !local && (precision ?? 0) >= 0;
  if (!isOwn || source !== regexes.datetime({ precision: precision ?? null, offset }).source) return source;
  const zone = offset ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (precision === undefined || precision === null) return offset ? '' : zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
}
