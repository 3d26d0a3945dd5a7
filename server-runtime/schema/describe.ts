import { andThen } from '../errors/failure.ts';
import { findFileRules } from './find-file-rules.ts';
import type { JsonSchema } from './json-schema.ts';
import { MARKS, type Marks, marksOf } from './json-schema.ts';
import { Lens } from './lens.ts';
import { definitionOf, isZodSchema, type Schema, type SchemaSide } from './schema.ts';
import { createSchemaParser, type ParseSchema } from './schema-parser.ts';
import { describeText, type SchemaNode, toJsonSchema } from './to-json-schema.ts';

/**
 * The description of a schema: the JSON Schema of what is sent between machines on each side, and its validation. Dates
 * and bigints are texts. Objects are open unless they are declared strict: what is not declared is dropped, and may be
 * declared one day.
 */
export function describe(schema: Schema): Description {
  let known = descriptions.get(schema);
  if (known === undefined) {
    known = new Description(schema);
    descriptions.set(schema, known);
  }
  return known;
}

const descriptions = new WeakMap<Schema, Description>();

/** All that the library knows of a schema. Each part is made when it is first asked for, once a schema. */
export class Description {
  readonly #schema: Schema;
  readonly #sides: Partial<Record<SchemaSide, JsonSchema>> = {};
  #validate: ParseSchema | undefined;
  #lens: Lens | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** The schema of an input, where fields with a default are optional. With marks, as the output. */
  get input(): JsonSchema {
    return (this.#sides.input ??= toSentSchema(this.#schema, 'input'));
  }

  /** The schema of an answer as it is sent. */
  get output(): JsonSchema {
    return (this.#sides.output ??= toSentSchema(this.#schema, 'output'));
  }

  get validate(): ParseSchema {
    return (this.#validate ??= this.#createValidate());
  }

  /** The look at the input. */
  get lens(): Lens {
    return (this.#lens ??= new Lens(this.input));
  }

  /** A library takes the members of every object for fields that were sent, where there are fields of their names. */
  #createValidate(): ParseSchema {
    const parse = createSchemaParser(this.#schema);
    let isConfused: boolean | undefined;
    return (value) =>
      andThen(parse(value), (result) => {
        if (result.success) return result;
        isConfused ??= memberNames.test(JSON.stringify(this.input));
        return isConfused ? parse(withoutMembers(value, MAX_DEPTH)) : result;
      });
  }
}

const MAX_DEPTH = 64;
const memberNames = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

function withoutMembers(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutMembers(item, levels - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutMembers(field, levels - 1)]);
  return Object.assign(Object.create(null) as object, Object.fromEntries(fields));
}

/** The JSON Schema of one side. `onNode` is told of every schema of zod inside, once it is corrected. */
export function toSentSchema(schema: Schema, io: SchemaSide, onNode?: (node: SchemaNode) => void): JsonSchema {
  const json = toJsonSchema(schema, {
    io,
    onNode: (node) => {
      correct(node, io);
      onNode?.(node);
    },
  });
  if (io === 'input' || !isZodSchema(schema) || !mayBeUndefined(schema)) return json;
  const { $defs, ...root } = json;
  return { ...toNullable(root), ...($defs === undefined ? {} : { $defs }) };
}

/** Undefined is null where JSON has no way to leave it out. */
function toNullable(json: JsonSchema): JsonSchema {
  return 'not' in json ? { type: 'null' } : { anyOf: [json, { type: 'null' }] };
}

function mayBeUndefined(schema: Schema | undefined): boolean {
  return (schema as ZodSides | undefined)?._zod?.optout !== undefined;
}

function correct({ schema, type, json }: SchemaNode, io: SchemaSide): void {
  const { in: from } = definitionOf(schema);
  // A copy of a schema that has a name says what it adds, beside the reference.
  const isCopy = '$ref' in json;
  switch (type) {
    case 'string':
      describeText(schema, json);
      break;
    case 'number':
      // Divisions of decimal fractions are not exact: what zod gives, other validators would refuse.
      if (io === 'output' && !Number.isInteger(json['multipleOf'])) delete json['multipleOf'];
      break;
    case 'date':
      if (!isCopy)
        Object.assign(json, { type: 'string', format: 'date-time', [MARKS]: { ...marksOf(json), kind: 'date' } });
      break;
    case 'bigint':
      if (!isCopy)
        Object.assign(json, { type: 'string', ...toDigits(schema), [MARKS]: { ...marksOf(json), kind: 'bigint' } });
      break;
    case 'object':
      if (isCopy) for (const keyword of ['properties', 'required', 'additionalProperties']) delete json[keyword];
      else correctObject(schema, json, io);
      break;
    case 'array':
    case 'tuple':
      if (!isCopy) correctList(schema, json, io);
      break;
    case 'union':
      addMarks(json, { tag: definitionOf(schema).discriminator });
      break;
    case 'pipe':
      if (io === 'input')
        addMarks(json, { isRaw: from && isTransform(from) ? true : undefined, words: toWords(schema as StringBool) });
      break;
    case 'readonly':
      // The word `readOnly` of zod is about the program. In OpenAPI the word means that a field is not to be sent.
      if (!saysReadOnly(schema)) delete json['readOnly'];
      break;
    case 'undefined':
    case 'void':
      json['not'] = {};
      break;
    case 'custom':
    case 'file':
      addMarks(json, { file: findFileRules(schema) });
  }
  if (io === 'input' && !isCopy && definitionOf(schema).coerce === true) widen(type, json);
}

function addMarks(json: JsonSchema, marks: { readonly [Name in keyof Marks]: Marks[Name] | undefined }): void {
  const given = Object.entries(marks).filter(([, value]) => value !== undefined);
  if (given.length > 0) json[MARKS] = { ...marksOf(json), ...Object.fromEntries(given) };
}

/** A text of digits; `z.int64()` and `z.uint64()` have a format. */
function toDigits(schema: Schema): JsonSchema {
  const { format } = definitionOf(schema);
  return format === undefined ? { pattern: String.raw`^-?\d+$` } : { format };
}

function isTransform(schema: Schema): boolean {
  return definitionOf(schema).type === 'transform';
}

/** The words that `z.stringbool()` takes. */
function toWords(schema: StringBool): string | undefined {
  const { bag: { truthy, falsy } = {}, parent } = schema._zod ?? {};
  if (truthy === undefined || falsy === undefined) return parent && toWords(parent);
  return `One of ${truthy.join(', ')} for true, ${falsy.join(', ')} for false.`;
}

interface StringBool {
  readonly _zod?: {
    readonly bag?: { readonly truthy?: readonly string[]; readonly falsy?: readonly string[] };
    /** The schema that this one is a copy of, with other words around it. */
    readonly parent?: StringBool;
  };
}

/** Whether the author says it: `.meta({readOnly: true})`. */
function saysReadOnly(schema: Schema): boolean {
  const { meta } = schema as { readonly meta?: () => Readonly<Record<string, unknown>> | undefined };
  return meta?.call(schema)?.['readOnly'] === true;
}

/** Says that a coercing schema takes most values: `Date` and `Number` make something of them. */
function widen(type: string, json: JsonSchema): void {
  const texts = { ...json };
  const types = coercedTypes[type];
  if (type === 'bigint') json['pattern'] = String.raw`^(-?\d+)?$`;
  if (types === undefined) delete json['type'];
  else json['type'] = [json['type'] ?? 'string', ...types].filter((each, at, all) => all.indexOf(each) === at);
  addMarks(json, { texts });
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
  const unsendable = Object.keys(shape).filter((name) =>
    ['undefined', 'void'].includes(definitionOf(shape[name] as Schema).type),
  );
  if (unsendable.length > 0)
    json['properties'] = Object.fromEntries(
      Object.entries((json['properties'] ?? {}) as object).filter(([name]) => !unsendable.includes(name)),
    );
  const mayLack = (name: string): boolean => unsendable.includes(name) || isOptionalSchema(shape[name] as Schema, io);
  const said = io === 'input' ? Object.keys(shape) : ((json['required'] ?? []) as readonly string[]);
  const required = said.filter((name) => !mayLack(name));
  if (required.length > 0) json['required'] = required;
  else delete json['required'];
}

/** Whether a field may be left out: the parser of zod looks into its schema all the same, and undefined fits. */
export function isOptionalSchema(schema: Schema, io: SchemaSide = 'input'): boolean {
  const { _zod, type } = schema as ZodSides;
  return _zod === undefined
    ? type === 'optional' || type === 'nullish'
    : _zod.optin !== undefined && fitsUndefined(schema, io);
}

interface ZodSides {
  readonly _zod?: { readonly optin?: string; readonly optout?: string };
  readonly type?: unknown;
}

/** Whether undefined fits, by what stands behind a catch or a preprocess. */
function fitsUndefined(schema: Schema, io: SchemaSide): boolean {
  const { type, in: from, out, innerType, options } = definitionOf(schema);
  if (options !== undefined) return options.some((option) => fitsUndefined(option, io));
  if (innerType !== undefined && transparent.has(type)) return fitsUndefined(innerType, io);
  const side = io === 'output' || (from && isTransform(from)) ? out : from;
  if (type === 'pipe' && side !== undefined) return fitsUndefined(side, io);
  return open.has(type) || (schema as ZodSides)._zod?.[io === 'input' ? 'optin' : 'optout'] !== undefined;
}

const transparent: ReadonlySet<string> = new Set(['catch', 'readonly', 'nullable']);
const open: ReadonlySet<string> = new Set(['any', 'unknown', 'undefined', 'void']);

/** An item that is undefined is null in JSON, or not sent at the end of a tuple. */
function correctList(schema: Schema, json: JsonSchema, io: SchemaSide): void {
  const { element, items = [], rest } = definitionOf(schema);
  if (io === 'input') {
    const required = items.findLastIndex((item) => !isOptionalSchema(item)) + 1;
    if (required > 0) json['minItems'] = required;
    else if (items.length > 0) delete json['minItems'];
    return;
  }
  if (mayBeUndefined(element ?? rest ?? undefined)) json['items'] = toNullable(json['items'] as JsonSchema);
  const first = (json['prefixItems'] ?? []) as readonly JsonSchema[];
  if (first.length > 0)
    json['prefixItems'] = first.map((item, at) => (mayBeUndefined(items[at]) ? toNullable(item) : item));
}
