import { type $ZodType, globalRegistry, regexes, toJSONSchema } from 'zod/v4/core';
import { findFileRules } from './find-file-rules.ts';
import { type JsonSchema, type MarkedSchema, mapSubschemas, toFlagWords } from './json-schema.ts';
import type { JsonBranch } from './lens.ts';
import {
  definitionOf,
  isOfOurZod,
  isZodSchema,
  type Schema,
  type SchemaDefinition,
  type SchemaSide,
} from './schema.ts';
import { texts, toStandardJson } from './standard-json.ts';

export interface SchemaNode {
  readonly schema: Schema;
  readonly type: string;
  readonly json: MarkedSchema;
}

/** Told of every schema of zod inside another one, innermost first; may change its `json` in place. */
export type OnNode = (node: SchemaNode) => void;

/**
 * The JSON Schema of what is sent between machines, with marks, made by the schema's own library and corrected. Dates
 * and bigints are texts; other values that JSON cannot say are `{}`. Objects are open unless they are declared strict.
 */
export function toJsonSchema(schema: Schema, io: SchemaSide, onNode?: OnNode): JsonSchema {
  const { $defs, ...own } = toBareJson(schema, io, (node) => {
    correct(node, io);
    onNode?.(node);
  });
  // What is null or something else does not hold the schemas that it refers to.
  return { ...withoutNothing(own, io), ...($defs !== undefined && withoutNothing({ $defs }, io)) };
}

/** The JSON Schema as the library writes it, of values in the program. */
export function toBareJson(schema: Schema, io: SchemaSide, onNode: OnNode): JsonSchema {
  if (!isZodSchema(schema)) return toStandardJson(schema, io);
  const params = {
    io,
    unrepresentable: 'any' as const,
    metadata: createRegistry(),
    override: ({ zodSchema, jsonSchema }: { readonly zodSchema: Schema; readonly jsonSchema: object }) =>
      onNode({ schema: zodSchema, type: definitionOf(zodSchema).type, json: jsonSchema as MarkedSchema }),
  };
  // Another version of zod loses constraints without a word.
  const { toJSONSchema: writeOwn } = (isOfOurZod(schema) ? {} : schema) as { toJSONSchema?: (given: object) => object };
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

/** Says what JSON makes of undefined: it is left out of objects, and null elsewhere in an answer. */
function withoutNothing(given: MarkedSchema, io: SchemaSide, isField = false): JsonSchema {
  const { 'x-capix-nothing': isNothing, ...json } = mapSubschemas(given, (inner, step) =>
    withoutNothing(inner, io, step !== undefined && step !== '[]'),
  );
  const { properties: fields = {}, required } = given as Partial<JsonBranch>;
  const mayBeNothing = (name: string): boolean => fields[name]?.['x-capix-nothing'] === true;
  if (required !== undefined) json['required'] = required.filter((name) => !mayBeNothing(name));
  for (const name of Object.keys(fields).filter(mayBeNothing))
    if ('not' in (fields[name] ?? {})) delete (json['properties'] as JsonSchema)[name];
  if (isNothing !== true || isField || io === 'input') return json;
  return 'not' in json ? { type: 'null' } : { anyOf: [json, { type: 'null' }] };
}

function correct({ schema, type, json }: SchemaNode, io: SchemaSide): void {
  const { in: from, format, discriminator, coerce, items = [] } = definitionOf(schema);
  // A copy of a schema that has a name says what it adds, beside the reference.
  const isCopy = '$ref' in json;
  if (isCopy) for (const keyword of ['properties', 'required', 'additionalProperties']) delete json[keyword];
  else if (type === 'object') correctObject(schema, json, io);
  else if (type === 'tuple' && io === 'input')
    json['minItems'] = items.findLastIndex((item) => !isOptionalSchema(item)) + 1 || undefined;
  else if (type === 'date' || type === 'bigint')
    Object.assign(json, texts[type], format !== undefined && { format }, { 'x-capix-kind': type });
  if (type === 'string') correctText(schema, json);
  // Divisions of decimal fractions are not exact: what zod gives, other validators would refuse.
  if (type === 'number' && io === 'output' && !Number.isInteger(json['multipleOf'])) delete json['multipleOf'];
  if (type === 'union' && discriminator !== undefined) json['x-capix-tag'] = discriminator;
  if (type === 'pipe' && io === 'input') {
    if (isTransform(from)) json['x-capix-raw'] = true;
    json['x-capix-words'] = toWords(schema as $ZodType) ?? json['x-capix-words'];
  }
  // The word `readOnly` of zod is about the program. In OpenAPI the word means that a field is not to be sent.
  if (type === 'readonly' && globalRegistry.get(schema as $ZodType)?.['readOnly'] !== true) delete json['readOnly'];
  const isNothing = type === 'undefined' || type === 'void';
  if (isNothing) json['not'] = {};
  json['x-capix-nothing'] = isNothing || (io === 'output' && (schema as $ZodType)._zod.optout !== undefined);
  if (type === 'custom' || type === 'file') json['x-capix-file'] = findFileRules(schema);
  if (io === 'input' && !isCopy && coerce === true) widen(type, json);
}

/** Says an expression with flags in words, and none of zod's own where the format says the same. */
function correctText(schema: Schema, json: MarkedSchema): void {
  const { format = '', allOf = [json] } = json as { readonly format?: string; readonly allOf?: readonly JsonSchema[] };
  const tests = [schema, ...(definitionOf(schema).checks ?? [])].map(definitionOf);
  const words: string[] = [];
  const said: JsonSchema[] = [];
  for (const { pattern: source } of allOf) {
    if (typeof source !== 'string') continue;
    const test = tests.find((each) => each.pattern?.source === source);
    const inWords = toFlagWords(test?.pattern);
    const rest = format === '' ? source : toRest(source, test);
    if (inWords !== undefined) words.push(inWords);
    else if (rest !== '') said.push({ pattern: rest });
  }
  delete json['pattern'];
  delete json['allOf'];
  Object.assign(json, said.length > 1 ? { allOf: said } : said[0]);
  if (words.length > 0) json['x-capix-words'] = words.join(' ');
  if (noFormats.has(format)) delete json['format'];
}

/** The names by which zod tells what a text has in it, and one that admits less than zod does. */
const noFormats: ReadonlySet<string> = new Set(
  'includes starts_with ends_with lowercase uppercase regex duration'.split(' '),
);

/** The expressions of zod of which a format says all. */
const whole: ReadonlySet<string> = new Set(
  [regexes.date, regexes.email, regexes.uuid(), regexes.guid, regexes.ipv4, regexes.ipv6].map(({ source }) => source),
);

/** The part of an expression that the format beside it does not say: of a date-time its fractions and its zone. */
function toRest(source: string, test: Partial<SchemaDefinition> = {}): string {
  if (whole.has(source)) return '';
  const { format, precision = null, offset = false, local = false } = test;
  if (format !== 'datetime' || local || (precision ?? 0) < 0) return source;
  const zone = offset ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (precision === null) return offset ? '' : zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
}

function isTransform(schema: Schema | undefined): boolean {
  return schema !== undefined && definitionOf(schema).type === 'transform';
}

/** The words that `z.stringbool()` takes; a copy of it with other words around it has them by what it was made of. */
function toWords({ _zod: { bag, parent } }: $ZodType): string | undefined {
  const { truthy, falsy } = bag as Readonly<Record<string, readonly string[] | undefined>>;
  if (truthy === undefined || falsy === undefined) return parent && toWords(parent);
  return `One of ${truthy.join(', ')} for true, ${falsy.join(', ')} for false.`;
}

/** Says that a coercing schema takes most values: `Date` and `Number` make something of them, texts are of anything. */
function widen(type: string, json: MarkedSchema): void {
  const { type: own, pattern } = json;
  json['x-capix-texts'] = { type: own, ...(pattern !== undefined && { pattern }) };
  const types = coercedTypes[type];
  if (type === 'bigint') json['pattern'] = String.raw`^(-?\d+)?$`;
  if (types === undefined) delete json['type'];
  else json['type'] = [own, ...types];
}

const coercedTypes: Readonly<Record<string, readonly string[]>> = {
  number: ['string', 'boolean', 'null'],
  date: ['number', 'boolean', 'null'],
  bigint: ['integer', 'boolean'],
};

function correctObject(schema: Schema, json: MarkedSchema, io: SchemaSide): void {
  const { shape = {}, catchall } = definitionOf(schema);
  // Zod closes the objects of one side where nobody asked for it.
  if (catchall === undefined) delete json['additionalProperties'];
  const said = io === 'input' ? Object.keys(shape) : ((json['required'] ?? []) as readonly string[]);
  const required = said.filter((name) => !isOptionalSchema(shape[name] as Schema, io));
  json['required'] = required.length > 0 ? required : undefined;
}

/** Whether a field may be left out: the parser of zod looks into its schema all the same, and undefined fits. */
export function isOptionalSchema(schema: Schema, io: SchemaSide = 'input'): boolean {
  const { _zod, type } = schema as Partial<$ZodType> & { readonly type?: unknown };
  if (_zod === undefined) return type === 'optional' || type === 'nullish';
  return _zod.optin !== undefined && fitsUndefined(schema, io);
}

/** Whether undefined fits, by what stands behind a catch or a preprocess. */
function fitsUndefined(schema: Schema, io: SchemaSide): boolean {
  const { type, in: from, out, innerType, options } = definitionOf(schema);
  const side = io === 'output' || isTransform(from) ? out : from;
  const inner = side ?? (transparent.has(type) ? innerType : undefined);
  if (inner !== undefined) return fitsUndefined(inner, io);
  if (options !== undefined) return options.some((option) => fitsUndefined(option, io));
  return open.has(type) || (schema as $ZodType)._zod[io === 'input' ? 'optin' : 'optout'] !== undefined;
}

const transparent: ReadonlySet<string> = new Set(['catch', 'readonly', 'nullable']);
const open: ReadonlySet<string> = new Set(['any', 'unknown', 'undefined', 'void']);
