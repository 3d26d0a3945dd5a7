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
  type StandardSchema,
} from './schema.ts';
import { toPortableSchema } from './to-portable-schema.ts';

/** Told of every schema of zod inside another one, innermost first; may change its `json` in place. */
export type OnNode = (schema: Schema, json: MarkedSchema) => void;

/** The JSON Schema of what is sent, with marks: dates and bigints are texts, and what JSON cannot say is `{}`. */
export function toJsonSchema(schema: Schema, io: SchemaSide, onNode?: OnNode): JsonSchema {
  const { $defs, ...own } = toBareJson(schema, io, (inner, json) => {
    correct(inner, json, io);
    onNode?.(inner, json);
  });
  // What is null or something else does not hold the schemas that it refers to.
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

/** Says what JSON makes of undefined: it is left out of objects, and null elsewhere in an answer. */
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

/** A schema of zod and the JSON Schema that zod wrote of it, which is changed in place. */
interface Written {
  readonly schema: Schema;
  readonly definition: SchemaDefinition;
  readonly json: MarkedSchema;
  readonly io: SchemaSide;
}

function correct(schema: Schema, json: MarkedSchema, io: SchemaSide): void {
  const definition = definitionOf(schema);
  const { type, coerce } = definition;
  const written = { schema, definition, json, io };
  // A copy of a schema that has a name says what it adds, beside the reference.
  const isCopy = '$ref' in json;
  if (isCopy)
    for (const keyword of ['properties', 'required', 'additionalProperties']) delete json[keyword];
  else corrections[type]?.(written);
  additions[type]?.(written);
  markNothing(written);
  if (io === 'input' && !isCopy && coerce === true) widen(type, json);
}

type Corrections = Readonly<Record<string, ((written: Written) => void) | undefined>>;

/** What is wrong with the structure that zod writes, by the types of its schemas. */
const corrections: Corrections = {
  object: ({ schema, json, io }) => correctObject(schema, json, io),
  tuple({ definition: { items = [] }, json, io }) {
    if (io !== 'input') return;
    json['minItems'] = items.findLastIndex((item) => !isOptionalSchema(item)) + 1 || undefined;
  },
  date: addKind,
  bigint: addKind,
};

function addKind({ definition: { type, format }, json }: Written): void {
  Object.assign(json, texts[type], format !== undefined && { format }, { 'x-capix-kind': type });
}

/** What zod leaves out, by the types of its schemas; also beside a reference. */
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

/** The formats by which zod tells what a text has in it, and one that admits less than zod does. */
const noFormats = /^(includes|(starts|ends)_with|lowercase|uppercase|duration)$/;

/** Says an expression with flags in words, and none of zod's own where the format says the same. */
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

/** The expressions of zod of which a format says all. */
const whole: ReadonlySet<string> = new Set(
  [regexes.date, regexes.email, regexes.uuid(), regexes.guid, regexes.ipv4, regexes.ipv6].map(
    ({ source }) => source,
  ),
);

/** The part of an expression that the format beside it does not say: of a date-time its fractions and its zone. */
function toRest(source: string, test: Partial<SchemaDefinition> = {}): string {
  if (whole.has(source)) return '';
  const { format, precision, local } = test;
  const isSaidInPart = format === 'datetime' && local !== true && (precision ?? 0) >= 0;
  return isSaidInPart ? toTimeRest(test) : source;
}

function toTimeRest({ precision, offset }: Partial<SchemaDefinition>): string {
  const isAnyPrecision = precision === undefined || precision === null;
  if (isAnyPrecision && offset === true) return '';
  const zone = offset === true ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (isAnyPrecision) return zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
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

/** Whether undefined fits, by what stands behind a catch or a preprocess. */
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

/** The JSON Schema of a schema that is not of zod, as its own library writes it, with marks. @throws without one */
function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  // [Standard JSON Schema](https://standardschema.dev/json-schema): arktype, and valibot by `toStandardJsonSchema`.
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & {
    readonly jsonSchema?: Readonly<Record<SchemaSide, (options: object) => JsonSchema>>;
  };
  const target = 'draft-2020-12';
  const libraryOptions = laxOptions[vendor] ?? {};
  if (jsonSchema === undefined && vendor !== 'valibot')
    throw new TypeError(
      `A schema of ${vendor} cannot be used: it does not implement Standard JSON Schema. Those of zod, valibot and ` +
        'arktype can.',
    );
  const { $schema: _dialect, ...json } =
    jsonSchema === undefined
      ? requireConverter()(schema, { typeMode: side, target, ...libraryOptions })
      : jsonSchema[side]({ target, libraryOptions });
  // Arktype leaves the flags of a pattern out.
  return correctStandard(json, JSON.stringify((schema as { readonly json?: unknown }).json) ?? '');
}

const NOTHING: MarkedSchema = { not: {}, 'x-capix-nothing': true };

/** Kinds of value that are not in JSON, by the names that all libraries have for them. */
const texts: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

type ValibotNode = Record<'valibotSchema' | 'valibotAction' | 'jsonSchema', JsonSchema>;

/** The options by which a library leaves open what JSON cannot say, instead of throwing. */
const laxOptions: Readonly<Record<string, object>> = {
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotNode) => {
      if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
      if (type === 'undefined' || type === 'void') return NOTHING;
      const mayBeNothing = /^(optional|exact_optional|undefinedable)$/.test(String(type));
      return mayBeNothing ? { ...jsonSchema, 'x-capix-nothing': true } : texts[String(type)];
    },
    overrideAction: ({ valibotAction: { type, requirement }, jsonSchema }: ValibotNode) => {
      if (!(requirement instanceof RegExp)) return undefined;
      const { format: _format, ...rest } = jsonSchema;
      // The formats that stand for these admit less than valibot does, or nothing of it.
      if (/^(iso_time|iso_date_time|rfc_email)$/.test(String(type)))
        return { ...rest, pattern: requirement.source };
      return inWords(jsonSchema, requirement);
    },
  },
  arktype: {
    fallback: ({
      code,
      base,
      unit,
    }: {
      readonly code: string;
      readonly base: object;
      readonly unit?: unknown;
    }) => (code === 'unit' && unit === undefined ? NOTHING : { ...base, ...texts[code] }),
  },
};

function inWords(
  { pattern: _pattern, ...rest }: JsonSchema,
  expression: RegExp,
): MarkedSchema | undefined {
  const words = toFlagWords(expression);
  return words === undefined ? undefined : { ...rest, 'x-capix-words': words };
}

/** Says in words what JSON Schema cannot, and of a choice that has undefined that it may be that. */
function correctStandard(original: JsonSchema, own: string): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correctStandard(inner, own));
  const {
    pattern,
    anyOf = [],
    ...rest
  } = json as JsonSchema & { readonly anyOf?: readonly MarkedSchema[] };
  const flags = typeof pattern === 'string' ? findFlags(pattern, own) : undefined;
  if (flags !== undefined) return inWords(json, new RegExp(pattern as string, flags)) ?? json;
  const others = anyOf.filter((each) => each['x-capix-nothing'] !== true || !('not' in each));
  if (others.length === anyOf.length) return json;
  return {
    ...rest,
    ...(others.length < 2 ? others[0] : { anyOf: others }),
    'x-capix-nothing': true,
  };
}

/** The flags that arktype's own form of a schema, a text of JSON, has beside an expression. */
function findFlags(pattern: string, own: string): string | undefined {
  const rest = own.split(`"rule":${JSON.stringify(pattern)},"flags":"`)[1];
  return rest?.split('"', 1)[0];
}

const CONVERTER = '@valibot/to-json-schema';

/** Routes and inputs are worked out in one turn, so the converter cannot be imported; bundlers miss it. */
function requireConverter(): (schema: unknown, options: object) => JsonSchema {
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    return (createRequire(import.meta.url)(CONVERTER) as { toJsonSchema: never }).toJsonSchema;
  } catch (cause) {
    throw new Error(
      `Schemas of valibot need what is not installed: npm install ${CONVERTER}. In a bundle, give each schema as ` +
        'toStandardJsonSchema(schema), from the same package.',
      { cause },
    );
  }
}
