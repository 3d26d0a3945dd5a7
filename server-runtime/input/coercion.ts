import { innerSchema, type ObjectFields } from '../schema/object-fields.ts';
import { definitionOf, type Schema } from '../schema/schema.ts';

/** Turns the text of one value into what the schema expects; text that does not parse cleanly is given back. */
export type CoerceText = (text: string) => unknown;

/** What becomes of the texts that were sent for one field. */
export interface FieldCoercion {
  readonly coerce: CoerceText;
  /** `always`: an array even of one text. `repeated`: an array of several, the bare value of one. `never`: the last text counts. */
  readonly list: 'always' | 'repeated' | 'never';
}

/** The coercion of each field of an object schema, worked out once; empty for other schemas, whose values stay texts. */
export type CoercionPlan = ReadonlyMap<string, FieldCoercion>;

export function toCoercionPlan(fields: ObjectFields | undefined): CoercionPlan {
  return new Map([...(fields ?? [])].map(([name, schema]) => [name, toFieldCoercion(schema)]));
}

/** The value of a field for the texts sent under its name, of which there is at least one. */
export function coerceTexts(field: FieldCoercion | undefined, texts: readonly string[]): unknown {
  const last = texts[texts.length - 1] ?? '';
  if (field === undefined) return last;
  if (field.list === 'always' || (field.list === 'repeated' && texts.length > 1)) return texts.map(field.coerce);
  return field.coerce(last);
}

const asText: CoerceText = (text) => text;

function toFieldCoercion(schema: Schema): FieldCoercion {
  const branches = toBranches(schema, 0);
  const arrays = branches.filter(isArray);
  const scalars = branches.filter((branch) => !isArray(branch));
  const elements = arrays.flatMap((array) => toElements(array));
  const coerce = toCoercion(scalars.length === 0 ? elements : [...scalars, ...elements]);
  if (arrays.length === 0) return { coerce, list: 'never' };
  return { coerce, list: scalars.length === 0 ? 'always' : 'repeated' };
}

/** A schema that contains itself is given up at this depth. */
const MAX_DEPTH = 50;

/** What a value may be, without wrappers and without null and undefined. */
function toBranches(schema: Schema, depth: number): readonly Schema[] {
  if (depth > MAX_DEPTH) return [schema];
  const { type, options } = definitionOf(schema);
  if (type === 'null' || type === 'undefined') return [];
  if (type === 'union' && options !== undefined) return options.flatMap((option) => toBranches(option, depth + 1));
  const inner = isPreprocess(schema) ? undefined : innerSchema(schema);
  return inner === undefined ? [schema] : toBranches(inner, depth + 1);
}

/** `z.preprocess` hands its function what was sent, so that must stay what was sent. */
function isPreprocess(schema: Schema): boolean {
  const definition = definitionOf(schema);
  return definition.type === 'pipe' && definition.in !== undefined && definitionOf(definition.in).type === 'transform';
}

function isArray(schema: Schema): boolean {
  return definitionOf(schema).type === 'array' || definitionOf(schema).type === 'tuple';
}

function toElements(array: Schema): readonly Schema[] {
  const { element, items } = definitionOf(array) as { readonly element?: Schema; readonly items?: readonly Schema[] };
  const inside = element === undefined ? (items ?? []) : [element];
  return inside.flatMap((schema) => toBranches(schema, 0));
}

/** Coerces only where every branch is of the one type. */
function toCoercion(branches: readonly Schema[]): CoerceText {
  if (branches.length === 0) return asText;
  if (branches.every((branch) => isOf(branch, 'number'))) return toNumber;
  if (branches.every((branch) => isOf(branch, 'boolean'))) return toBoolean;
  return asText;
}

function isOf(schema: Schema, type: 'number' | 'boolean'): boolean {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case type:
      return true;
    case 'literal':
      return definition.values?.every((value) => typeof value === type) ?? false;
    case 'enum':
      return type === 'number' && isNumericEnum(definition.entries ?? {});
    default:
      return false;
  }
}

/** TypeScript gives a numeric enum its names as values too, for the way back. */
function isNumericEnum(entries: Readonly<Record<string, string | number>>): boolean {
  const values = Object.values(entries);
  return values.some((value) => typeof value === 'number') && values.every((value) => typeof value === 'number' || typeof entries[value] === 'number');
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function toNumber(text: string): unknown {
  if (!DECIMAL.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function toBoolean(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}
