import { innerSchema, type ObjectFields } from '../schema/object-fields.ts';
import { definitionOf, type Schema } from '../schema/schema.ts';
import { type FileRules, findFileRules, isUploadedFile, type UploadedFile } from './uploaded-file.ts';

/** Turns the text of one value into what the schema expects; text that does not parse cleanly is given back. */
export type CoerceText = (text: string) => unknown;

/** The plan by which the values that were sent for one field become its value. */
export interface FieldPlan {
  readonly coerce: CoerceText;
  /** `always`: an array even of one value. `repeated`: an array of several, the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** Set for a field made with `uploadedFile`. */
  readonly file: FileRules | undefined;
  /** Whether files are given as the `File` of the web, as `z.file()` expects. */
  readonly takesWebFile: boolean;
}

/** The plan of each field of an object schema, worked out once; empty for other schemas, whose values stay as they were sent. */
export type InputPlan = ReadonlyMap<string, FieldPlan>;

export function toInputPlan(fields: ObjectFields | undefined): InputPlan {
  return new Map([...(fields ?? [])].map(([name, schema]) => [name, toFieldPlan(schema)]));
}

/** The value of a field for what was sent under its name, which is at least one text or file. */
export function toFieldValue(field: FieldPlan | undefined, sent: readonly unknown[]): unknown {
  const last = sent[sent.length - 1];
  if (field === undefined) return last;
  const coerce = (value: unknown): unknown => {
    if (typeof value === 'string') return field.coerce(value);
    return field.takesWebFile && isUploadedFile(value) ? toWebFile(value) : value;
  };
  return field.list === 'always' || (field.list === 'repeated' && sent.length > 1) ? sent.map(coerce) : coerce(last);
}

function toWebFile({ buffer, filename, mimeType }: UploadedFile): File {
  return new File([new Uint8Array(buffer)], filename, { type: mimeType });
}

const asText: CoerceText = (text) => text;

function toFieldPlan(schema: Schema): FieldPlan {
  const branches = toBranches(schema, 0);
  const arrays = branches.filter(isArray);
  const scalars = branches.filter((branch) => !isArray(branch));
  const values = [...scalars, ...arrays.flatMap(toElements)];
  const list = arrays.length === 0 ? 'never' : scalars.length === 0 ? 'always' : 'repeated';
  const takesWebFile = values.some((value) => definitionOf(value).type === 'file');
  return { coerce: toCoercion(values), list, file: findFileRules(schema), takesWebFile };
}

/** A schema that contains itself is given up at this depth. */
const MAX_DEPTH = 50;

/** The type that a value may have, without wrappers and without null and undefined. */
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
      return definition.values?.every((value) => typeof value === type || value === null) ?? false;
    case 'enum':
      return type === 'number' && isNumericEnum(definition.entries ?? {});
    default:
      return false;
  }
}

/** TypeScript gives a numeric enum its names as values too, for the way back. */
function isNumericEnum(entries: Readonly<Record<string, string | number>>): boolean {
  const values = Object.values(entries);
  return (
    values.some((value) => typeof value === 'number') &&
    values.every((value) => typeof value === 'number' || typeof entries[value] === 'number')
  );
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
