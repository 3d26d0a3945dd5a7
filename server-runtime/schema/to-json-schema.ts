import { type $ZodType, globalRegistry, regexes, toJSONSchema } from 'zod/v4/core';
import { findFileRules } from './find-file-rules.ts';
import { addMarks, type JsonSchema, MARKS, toFlagWords } from './json-schema.ts';
import {
  definitionOf,
  isOfOurZod,
  isZodSchema,
  type Schema,
  type SchemaDefinition,
  type SchemaSide,
} from './schema.ts';
import { toStandardJson } from './standard-json.ts';

export interface SchemaNode {
  readonly schema: Schema;
  /** zod's name of its kind: `'date'`, `'custom'`. */
  readonly type: string;
  readonly json: JsonSchema;
}

/** Told of every schema of zod inside another one, innermost first; may change its `json` in place. */
export type OnNode = (node: SchemaNode) => void;

/**
 * The JSON Schema of what is sent between machines, with marks, made by the schema's own library and corrected. Dates
 * and bigints are texts; other values that JSON cannot say are `{}`. Objects are open unless they are declared strict:
 * what is not declared is dropped, and may be declared one day. Schemas that contain themselves refer to themselves by
 * `$ref: '#'` and `$defs`.
 */
export function toJsonSchema(schema: Schema, io: SchemaSide, onNode?: OnNode): JsonSchema {
  const { $defs, ...json } = toBareJson(schema, io, (node) => {
    correct(node, io);
    onNode?.(node);
  });
  return { ...(io === 'output' ? toSent(json, schema) : json), ...($defs !== undefined && { $defs }) };
}

/** The JSON Schema as the library writes it, of values in the program. */
export function toBareJson(schema: Schema, io: SchemaSide, onNode: OnNode): JsonSchema {
  if (!isZodSchema(schema)) return toStandardJson(schema, io);
  const params = {
    io,
    unrepresentable: 'any' as const,
    metadata: createRegistry(),
    override: ({ zodSchema, jsonSchema }: { readonly zodSchema: Schema; readonly jsonSchema: object }) =>
      onNode({ schema: zodSchema, type: definitionOf(zodSchema).type, json: jsonSchema as JsonSchema }),
  };
  // Another copy of zod loses constraints without a word.
  const { toJSONSchema: writeOwn } = schema as { readonly toJSONSchema?: (given: object) => object };
  const isOwn = writeOwn === undefined || isOfOurZod(schema);
  const { $schema: _dialect, ...json } = (
    isOwn ? toJSONSchema(schema as $ZodType, params) : writeOwn.call(schema, params)
  ) as JsonSchema;
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
    return id === meta.id ? meta : { ...meta, id, [MARKS]: { id: meta.id } };
  };
  return { get } as typeof globalRegistry;
}

/** Undefined is null where JSON has no way to leave it out. */
function toSent(json: JsonSchema, schema: Schema | null | undefined): JsonSchema {
  if ((schema as Partial<$ZodType> | undefined)?._zod?.optout === undefined) return json;
  return 'not' in json ? { type: 'null' } : { anyOf: [json, { type: 'null' }] };
}

function correct({ schema, type, json }: SchemaNode, io: SchemaSide): void {
  const { in: from, format, discriminator, coerce } = definitionOf(schema);
  // A copy of a schema that has a name says what it adds, beside the reference.
  const isCopy = '$ref' in json;
  if (isCopy) for (const keyword of ['properties', 'required', 'additionalProperties']) delete json[keyword];
  else if (type === 'object') correctObject(schema, json, io);
  else if (type === 'array' || type === 'tuple') correctList(schema, json, io);
  else if (type === 'date') addMarks(Object.assign(json, { type: 'string', format: 'date-time' }), { kind: type });
  else if (type === 'bigint') {
    const digits = format === undefined ? { pattern: String.raw`^-?\d+$` } : { format };
    addMarks(Object.assign(json, { type: 'string', ...digits }), { kind: type });
  }
  if (type === 'string') correctText(schema, json);
  // Divisions of decimal fractions are not exact: what zod gives, other validators would refuse.
  if (type === 'number' && io === 'output' && !Number.isInteger(json['multipleOf'])) delete json['multipleOf'];
  if (type === 'union') addMarks(json, { tag: discriminator });
  if (type === 'pipe' && io === 'input')
    addMarks(json, { isRaw: isTransform(from) || undefined, words: toWords(schema as $ZodType) });
  // The word `readOnly` of zod is about the program. In OpenAPI the word means that a field is not to be sent.
  if (type === 'readonly' && globalRegistry.get(schema as $ZodType)?.['readOnly'] !== true) delete json['readOnly'];
  if (nothing.has(type)) json['not'] = {};
  if (type === 'custom' || type === 'file') addMarks(json, { file: findFileRules(schema) });
  if (io === 'input' && !isCopy && coerce === true) widen(type, json);
}

/**
 * Corrects what zod says of a text: a regular expression with flags is said in words; the one by which zod tests a
 * format goes where the format says the same; a format says no more than is taken, and what is none goes.
 */
function correctText(schema: Schema, json: JsonSchema): void {
  const { format = '', pattern, allOf = [] } = json as { format?: string; pattern?: string; allOf?: JsonSchema[] };
  const definitions = [schema, ...(definitionOf(schema).checks ?? [])].map(definitionOf);
  const tests = new Map(definitions.map((test) => [test.pattern?.source, test]));
  const sources = [pattern, ...allOf.map((part) => part['pattern'] as string)].filter((source) => source !== undefined);
  const words = sources.flatMap((source) => toFlagWords(tests.get(source)?.pattern) ?? []);
  const said = sources.flatMap((source) => {
    const test = tests.get(source);
    if (toFlagWords(test?.pattern) !== undefined) return [];
    return (format === '' ? source : toRest(source, test)) || [];
  });
  delete json['pattern'];
  delete json['allOf'];
  if (said.length === 1) json['pattern'] = said[0];
  else if (said.length > 1) json['allOf'] = said.map((each) => ({ pattern: each }));
  addMarks(json, { words: words.length > 0 ? words.join(' ') : undefined });
  if (noFormats.has(format)) delete json['format'];
}

/** The names by which zod tells what a text has in it, and a format that admits less than zod does. */
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
  const isOwn = format === 'datetime' && !local && (precision ?? 0) >= 0;
  if (!isOwn || source !== regexes.datetime({ precision, offset }).source) return source;
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

/** Says that a coercing schema takes most values: `Date` and `Number` make something of them. */
function widen(type: string, json: JsonSchema): void {
  const { type: own, pattern } = json;
  addMarks(json, { texts: { type: own, ...(pattern !== undefined && { pattern }) } });
  const types = coercedTypes[type];
  if (type === 'bigint') json['pattern'] = String.raw`^(-?\d+)?$`;
  if (types === undefined) delete json['type'];
  else json['type'] = [own, ...types];
}

/** Beside its own. Texts and booleans are made of anything. */
const coercedTypes: Readonly<Record<string, readonly string[]>> = {
  number: ['string', 'boolean', 'null'],
  date: ['number', 'boolean', 'null'],
  bigint: ['integer', 'boolean'],
};

function correctObject(schema: Schema, json: JsonSchema, io: SchemaSide): void {
  const { shape = {}, catchall } = definitionOf(schema);
  // Zod closes the objects of one side where nobody asked for it.
  if (catchall === undefined) delete json['additionalProperties'];
  const isNothing = (name: string): boolean => nothing.has(definitionOf(shape[name] as Schema).type);
  const fields = Object.entries((json['properties'] ?? {}) as object).filter(([name]) => !isNothing(name));
  const said = io === 'input' ? Object.keys(shape) : ((json['required'] ?? []) as readonly string[]);
  const required = said.filter((name) => !isNothing(name) && !isOptionalSchema(shape[name] as Schema, io));
  json['properties'] = Object.fromEntries(fields);
  delete json['required'];
  if (required.length > 0) json['required'] = required;
}

/** An item that is undefined is null in JSON, or not sent at the end of a tuple. */
function correctList(schema: Schema, json: JsonSchema, io: SchemaSide): void {
  const { element, items = [], rest } = definitionOf(schema);
  if (io === 'output') {
    const first = (json['prefixItems'] ?? []) as readonly JsonSchema[];
    if (first.length > 0) json['prefixItems'] = first.map((item, at) => toSent(item, items[at]));
    json['items'] = toSent(json['items'] as JsonSchema, element ?? rest);
    return;
  }
  const required = items.findLastIndex((item) => !isOptionalSchema(item)) + 1;
  if (required > 0) json['minItems'] = required;
  else if (items.length > 0) delete json['minItems'];
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
  const inner = type === 'pipe' ? side : transparent.has(type) ? innerType : undefined;
  if (inner !== undefined) return fitsUndefined(inner, io);
  if (options !== undefined) return options.some((option) => fitsUndefined(option, io));
  return open.has(type) || (schema as $ZodType)._zod[io === 'input' ? 'optin' : 'optout'] !== undefined;
}

const transparent: ReadonlySet<string> = new Set(['catch', 'readonly', 'nullable']);
const nothing: ReadonlySet<string> = new Set(['undefined', 'void']);
const open: ReadonlySet<string> = new Set(['any', 'unknown', ...nothing]);
