import { type $ZodType, globalRegistry, regexes } from 'zod/v4/core';
import { findFileRules } from './find-file-rules.ts';
import { type JsonSchema, type MarkedSchema, textsOf, toFlagWords } from './json-schema.ts';
import { definitionOf, type Schema, type SchemaDefinition, type SchemaSide } from './schema.ts';

/** Corrects one level of what zod wrote, in place, and adds what zod left out. Inner schemas come first. */
export function correctZodJson(schema: Schema, json: MarkedSchema, io: SchemaSide): void {
  const definition = definitionOf(schema);
  const { type, coerce } = definition;
  const written = { schema, definition, json, io };
  // The copy of a named schema has its own keywords beside the reference.
  const isCopy = '$ref' in json;
  if (isCopy)
    for (const keyword of ['properties', 'required', 'additionalProperties']) delete json[keyword];
  else corrections[type]?.(written);
  additions[type]?.(written);
  markNothing(written);
  if (io === 'input' && !isCopy && coerce === true) widen(type, json);
}

/** A schema of zod and the JSON Schema that zod wrote of it, which is changed in place. */
interface Written {
  readonly schema: Schema;
  readonly definition: SchemaDefinition;
  readonly json: MarkedSchema;
  readonly io: SchemaSide;
}

type Corrections = Readonly<Record<string, ((written: Written) => void) | undefined>>;

/** Corrections of the structure that zod writes, by the type of the schema. */
const corrections: Corrections = {
  object: ({ schema, json, io }) => correctObject(schema, json, io),
  tuple({ definition: { items = [] }, json, io }) {
    if (io !== 'input') return;
    json['minItems'] = items.findLastIndex((item) => !isOptionalSchema(item)) + 1 || undefined;
  },
  intersection: ({ json }) => openParts(json),
  date: addKind,
  bigint: addKind,
};

/** An object of an intersection takes the fields of the others, in zod. In JSON Schema it does not. */
function openParts(json: MarkedSchema): void {
  for (const word of ['allOf', 'anyOf', 'oneOf'])
    for (const part of (json[word] ?? []) as readonly MarkedSchema[]) {
      if (part['additionalProperties'] === false) delete part['additionalProperties'];
      openParts(part);
    }
}

function addKind({ definition: { type, format }, json }: Written): void {
  Object.assign(json, textsOf[type], format !== undefined && { format }, { 'x-capix-kind': type });
}

/** Additions to the structure that zod writes, by the type of the schema; also beside a reference. */
const additions: Corrections = {
  string: ({ schema, json }) => correctText(schema, json),
  union({ definition: { discriminator }, json }) {
    if (discriminator !== undefined) json['x-capix-tag'] = discriminator;
  },
  pipe({ schema, definition, json, io }) {
    if (io !== 'input') return;
    if (definitionOf(definition.in).type === 'transform') json['x-capix-raw'] = true;
    json['x-capix-words'] = toWords(schema as $ZodType) ?? json['x-capix-words'];
  },
  // The word `readOnly` of zod is about the program. In OpenAPI the word means that a field is not to be sent.
  readonly({ schema, json }) {
    if (globalRegistry.get(schema as $ZodType)?.['readOnly'] !== true) delete json['readOnly'];
  },
  custom: addFile,
  file: addFile,
};

function addFile({ schema, json }: Written): void {
  json['x-capix-file'] = findFileRules(schema);
}

function markNothing({ schema, definition: { type }, json, io }: Written): void {
  const isNothing = type === 'undefined' || type === 'void';
  if (isNothing) json['not'] = {};
  json['x-capix-nothing'] =
    isNothing || (io === 'output' && (schema as $ZodType)._zod.optout !== undefined);
}

/** Formats that are zod's own names for checks of a text, and one that admits less than zod does. */
const noFormats = /^(includes|(starts|ends)_with|lowercase|uppercase|duration)$/;

/** Describes expressions with flags in words, and removes zod's own where the format means the same. */
function correctText(schema: Schema, json: MarkedSchema): void {
  const { format = '', allOf = [json] } = json as {
    readonly format?: string;
    readonly allOf?: readonly JsonSchema[];
  };
  const { patterns, words } = readPatterns(schema, allOf, format);
  // The author's own expression may admit addresses that the format does not.
  const isOwn = format === 'email' && !allOf.some(({ pattern }) => whole.has(pattern as string));
  if (isOwn || noFormats.test(format)) delete json['format'];
  delete json['pattern'];
  delete json['allOf'];
  Object.assign(json, patterns.length > 1 ? { allOf: patterns } : patterns[0]);
  if (words.length > 0) json['x-capix-words'] = words.join(' ');
}

/** The expressions of a text that its format does not say: as patterns, and in words where they have flags. */
function readPatterns(
  schema: Schema,
  parts: readonly JsonSchema[],
  format: string,
): { readonly patterns: readonly JsonSchema[]; readonly words: readonly string[] } {
  const tests = [schema, ...(definitionOf(schema).checks ?? [])].map(definitionOf);
  const words: string[] = [];
  const patterns: JsonSchema[] = [];
  for (const { pattern: source } of parts) {
    if (typeof source !== 'string') continue;
    const test = tests.find((each) => each.pattern?.source === source);
    const flagWords = toFlagWords(test?.pattern);
    const rest = format === '' ? source : toRest(source, test);
    if (flagWords !== undefined) words.push(flagWords);
    else if (rest !== '') patterns.push({ pattern: rest });
  }
  return { patterns, words };
}

/** The expressions of zod that a format describes completely. */
const whole: ReadonlySet<string> = new Set(
  [regexes.date, regexes.email, regexes.uuid(), regexes.guid, regexes.ipv4, regexes.ipv6].map(
    ({ source }) => source,
  ),
);

/** The part of an expression that the format beside it does not say: of a date-time its fractions and its zone. */
function toRest(source: string, test: Partial<SchemaDefinition> = {}): string {
  if (whole.has(source)) return '';
  const { format, precision, local } = test;
  const isDateTime = format === 'datetime' && local !== true && (precision ?? 0) >= 0;
  return isDateTime ? toTimeRest(test) : source;
}

function toTimeRest({ precision, offset }: Partial<SchemaDefinition>): string {
  const isAnyPrecision = precision === undefined || precision === null;
  if (isAnyPrecision && offset === true) return '';
  const zone = offset === true ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (isAnyPrecision) return zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
}

/**
 * The words that `z.stringbool()` takes. A copy with other words around it finds them in the schema that it was made
 * from.
 */
function toWords({ _zod: { bag, parent } }: $ZodType): string | undefined {
  const { truthy, falsy } = bag as Readonly<Record<string, readonly string[] | undefined>>;
  if (truthy === undefined || falsy === undefined) return parent && toWords(parent);
  return `One of ${truthy.join(', ')} for true, ${falsy.join(', ')} for false.`;
}

/** Widens a coercing schema, which takes most values: `Date` and `Number` convert them, and texts of anything. */
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
  // Zod closes the objects of one side, although their author did not.
  if (catchall === undefined) delete json['additionalProperties'];
  const names =
    io === 'input' ? Object.keys(shape) : ((json['required'] ?? []) as readonly string[]);
  const required = names.filter((name) => !isOptionalSchema(shape[name] as Schema, io));
  json['required'] = required.length > 0 ? required : undefined;
}

/** Whether a field may be left out: the parser of zod looks into its schema all the same, and undefined fits. */
export function isOptionalSchema(schema: Schema, io: SchemaSide = 'input'): boolean {
  const { _zod, type } = schema as Partial<$ZodType> & { readonly type?: unknown };
  if (_zod === undefined) return type === 'optional' || type === 'nullish';
  return _zod.optin !== undefined && fitsUndefined(schema, io);
}

/** Whether undefined fits. For a catch or a preprocess, the schema behind it decides. */
function fitsUndefined(schema: Schema, io: SchemaSide): boolean {
  const { type, in: from, out, innerType, options } = definitionOf(schema);
  const side = io === 'output' || definitionOf(from).type === 'transform' ? out : from;
  const inner = side ?? (/^(catch|readonly|nullable)$/.test(type) ? innerType : undefined);
  if (inner !== undefined) return fitsUndefined(inner, io);
  if (options !== undefined) return options.some((option) => fitsUndefined(option, io));
  const optional = io === 'input' ? 'optin' : 'optout';
  return (
    /^(any|unknown|undefined|void)$/.test(type) || (schema as $ZodType)._zod[optional] !== undefined
  );
}
