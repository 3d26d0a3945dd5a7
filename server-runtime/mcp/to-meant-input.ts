import { parseJson, toSafeInput } from '../input/safe-input.ts';
import { describe } from '../schema/describe.ts';
import { isObject, isRaw, type Lens } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Reads an input as the model meant it. Many models send `"[1, 2]"` for a list, and `null` for a field that they leave
 * out: a value that is a mistake by the schema, and can mean one thing only, is read as that. Other values stay.
 */
export function toMeantInput(schema: Schema | undefined, input: object): object {
  if (schema === undefined) return input;
  const meant = toMeant(describe(schema).lens, input);
  // A text that was opened may be as deep again as the input around it.
  return meant !== input && toSafeInput(meant).ok ? (meant as object) : input;
}

/** The same value where nothing in it is to be read otherwise. */
function toMeant(lens: Lens | undefined, sent: unknown): unknown {
  if (lens === undefined || lens.branches.some(isRaw)) return sent;
  const value = typeof sent === 'string' ? openText(lens, sent) : sent;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return toMeantList(lens, value);
  return toMeantObject(lens, value as Readonly<Record<string, unknown>>);
}

function toMeantList(lens: Lens, list: readonly unknown[]): readonly unknown[] {
  const meant = list.map((item, index) => toMeant(lens.inside(String(index)), item));
  return meant.some((item, index) => item !== list[index]) ? meant : list;
}

function toMeantObject(lens: Lens, object: Readonly<Record<string, unknown>>): object {
  let meant: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(object)) {
    const field = lens.inside(name);
    const isLeftOut = value === null && isOptional(lens, name) && field?.takesNull === false;
    const inside = isLeftOut ? undefined : toMeant(field, value);
    if (inside === value) continue;
    meant ??= { ...object };
    if (isLeftOut) delete meant[name];
    else meant[name] = inside;
  }
  return meant ?? object;
}

/** Whether a field is one of the schema, and no branch of it needs the field. */
function isOptional(lens: Lens, name: string): boolean {
  return lens.has(name) && !lens.branches.some(({ required }) => required?.includes(name) === true);
}

/** The object or the list that a text is as JSON, where the schema takes such a one and no text. */
function openText({ branches }: Lens, text: string): unknown {
  const takesObject = branches.some(isObject);
  const takesList = branches.some(({ type }) => type === 'array');
  const takesNoText = branches.every((branch) => isObject(branch) || branch.type === 'array');
  if (!takesNoText || !/^\s*[[{]/.test(text)) return text;
  const parsed = parseJson(Buffer.from(text), 'The field');
  if (!parsed.ok || typeof parsed.value !== 'object') return text;
  return (Array.isArray(parsed.value) ? takesList : takesObject) ? parsed.value : text;
}
