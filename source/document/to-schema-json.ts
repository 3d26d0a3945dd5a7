import { createHash } from 'node:crypto';
import { CHECKS } from '../../server-runtime/openapi/schema-converter.ts';
import { findFileRules } from '../../server-runtime/schema/find-file-rules.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type SchemaDefinition,
  type SchemaSide,
} from '../../server-runtime/schema/schema.ts';
import { toBareJson } from '../../server-runtime/schema/to-json-schema.ts';
import { attempt } from '../values/attempt.ts';
import { remember } from '../values/once.ts';

/**
 * The JSON Schema of one side of a schema that is looked at by itself, with its marks: `{"x-capix-kind": "date"}` for
 * what JSON cannot say, and an uploaded file as a binary string with its rules. One that cannot be converted admits
 * anything.
 */
export function toSchemaJson(schema: Schema, io: SchemaSide): JsonSchema {
  return remember(
    written[io],
    schema,
    (): JsonSchema => attempt(() => toBareJson(schema, io, markKind)) ?? {},
  );
}

const written = {
  input: new WeakMap<Schema, JsonSchema>(),
  output: new WeakMap<Schema, JsonSchema>(),
};

function markKind(schema: Schema, json: JsonSchema): void {
  const { type } = definitionOf(schema);
  const checks = toZodChecks(schema).filter((check) => /^(code|form) /.test(check));
  if (checks.length > 0) json[CHECKS] = checks;
  const file = type === 'custom' ? findFileRules(schema) : undefined;
  if (file !== undefined) {
    const { maxSize, accept } = file;
    Object.assign(json, { type: 'string', format: 'binary', 'x-capix-file': { maxSize, accept } });
  } else if (unrepresentable.has(type) && json['type'] === undefined) json['x-capix-kind'] = type;
}

const unrepresentable: ReadonlySet<string> = new Set(
  'date bigint symbol undefined void map set file custom function promise nan'.split(' '),
);

/** Writes the rules of a schema that its JSON Schema does not say beside it, in the order in which they run. */
export function noteChecks(schema: Schema, json: JsonSchema): void {
  const checks = isZodSchema(schema) ? toZodChecks(schema) : [];
  if (checks.length > 0) json[CHECKS] = checks;
}

/**
 * The code in a schema of valibot: a mark of its name and text for each check and transformation. Libraries that give
 * away no code have one of what they say of themselves.
 */
export function toForeignChecks(schema: Schema): readonly string[] | undefined {
  const found: string[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { type, requirement, operation } = value as Readonly<Record<string, unknown>>;
    const code = [requirement, operation].find((each) => typeof each === 'function');
    if (code !== undefined) found.push(`${String(type)} ${toMark(code)}`);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(schema);
  const { json } = schema as { readonly json?: unknown };
  const own = typeof schema === 'function' && json !== undefined ? JSON.stringify(json) : '';
  const marks = own.match(/"\$ark\.[a-z]+\d*"/g) ?? [];
  const all = [...found, ...marks.map((mark) => `code ${mark.replace(/\d*"$/, '').slice(1)}`)];
  return all.length === 0 ? undefined : all;
}

/** The parts of zod's definitions in which rules are. */
interface Definition extends Omit<SchemaDefinition, 'checks'> {
  readonly check?: string;
  readonly checks?: readonly {
    readonly _zod: { readonly def: Definition; readonly check?: unknown };
  }[];
  readonly protocol?: RegExp;
  readonly hostname?: RegExp;
  readonly alg?: string;
  readonly fn?: unknown;
  readonly tx?: unknown;
  readonly transform?: unknown;
  readonly value?: unknown;
  readonly inclusive?: boolean;
}

/** A word for each rule of a schema of zod that its JSON Schema does not say: `coerce`, `code 1f0c…`. */
function toZodChecks(schema: Schema): readonly string[] {
  const definition = definitionOf(schema) as Definition;
  const { type, coerce, checks = [], fn } = definition;
  const isCustom = type === 'custom' && findFileRules(schema) === undefined;
  return [
    ...(coerce === true ? [toCoercionWord(type)] : []),
    ...(type === 'catch' ? ['catch'] : []),
    ...(type === 'map' || type === 'set' ? [`value ${type}`] : []),
    ...(type === 'pipe' ? toPipeChecks(schema, definition) : []),
    ...toTextChecks(definition),
    ...(isCustom && typeof fn === 'function' ? [`code ${toMark(fn)}`] : []),
    ...checks.flatMap((each) => toOwnChecks(each, type)),
  ];
}

/** Any value may become a text or a boolean: the JSON Schema does not say which. */
function toCoercionWord(type: string | undefined): string {
  return type === 'string' || type === 'boolean' ? `coerce ${type}` : 'coerce';
}

function toOwnChecks(
  { _zod: { def, check } }: NonNullable<Definition['checks']>[number],
  type: string | undefined,
): readonly string[] {
  if (def.check === 'custom') return [`code ${toMark(def.fn ?? check)}`];
  if (def.check === 'overwrite') return [`overwrite ${toMark(def.tx)}`];
  const hasLimit = type === 'date' || type === 'bigint';
  return [...toTextChecks(def), ...toStepChecks(def), ...(hasLimit ? [toLimit(def)] : [])];
}

/** The JSON Schema of an input is that of the first step. */
function toPipeChecks(
  schema: Schema,
  { in: first, out: last, transform }: Definition,
): readonly string[] {
  if (first === undefined || last === undefined) return [];
  const before = definitionOf(first) as Definition;
  if (before.type === 'transform') return [`preprocess ${toMark(before.transform)}`];
  const { type } = definitionOf(last);
  if (type === 'transform') return [];
  if (type === 'boolean' && typeof transform === 'function') return toWords(schema);
  const then = JSON.stringify(toBareJson(last, 'input', noteChecks));
  return then === '{}' ? [] : [`then ${then}`];
}

/** The words of `z.stringbool()`, which it tells only in the refusal of another word. */
function toWords(schema: Schema): readonly string[] {
  const { '~standard': standard } = schema as {
    readonly '~standard'?: {
      readonly validate: (value: unknown) => { issues?: readonly { values?: unknown }[] };
    };
  };
  const values = standard?.validate('\0').issues?.[0]?.values;
  return Array.isArray(values) ? [`words ${values.join(', ')}`] : [];
}

function toTextChecks({ format, pattern, protocol, hostname, alg }: Definition): readonly string[] {
  const form = format === undefined ? undefined : forms[format];
  return [
    ...(form !== undefined && pattern instanceof RegExp ? [`form ${form} ${pattern.source}`] : []),
    ...(pattern instanceof RegExp && pattern.flags !== ''
      ? [`flags ${pattern.flags} of ${pattern.source}`]
      : []),
    ...(protocol instanceof RegExp ? [`protocol ${protocol.source}`] : []),
    ...(hostname instanceof RegExp ? [`hostname ${hostname.source}`] : []),
    ...(format === 'jwt' && alg !== undefined ? [`algorithm ${alg}`] : []),
  ];
}

/** A step such as 0.1 is in no document, since others count it by floating point. */
function toStepChecks({ check, value }: Definition): readonly string[] {
  return check === 'multiple_of' && !Number.isInteger(Number(value) * 1024)
    ? [`step ${String(value)}`]
    : [];
}

/** The formats, by zod's names, of which a document says no pattern that is zod's own. */
const forms: Readonly<Record<string, string>> = {
  datetime: 'date-time',
  date: 'date',
  email: 'email',
  uuid: 'uuid',
  guid: 'uuid',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
};

/** Dates and integers of any size are texts in JSON Schema, which has no limits for what they say. */
function toLimit({ check, value, inclusive }: Definition): string {
  const text = value instanceof Date ? value.toJSON() : String(value);
  return `${check ?? 'check'} ${text}${inclusive === true ? ' inclusive' : ''}`;
}

/** Bundlers give names that are taken a number, and set spaces of their own. */
function toMark(check: unknown): string {
  const text = String(check)
    .replaceAll(/([A-Za-z_$])\d+\b/g, '$1')
    .replaceAll(/\s+/g, '');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
