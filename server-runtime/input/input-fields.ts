import { describe } from '../schema/describe.ts';
import { withMarks } from '../schema/json-schema.ts';
import { Lens } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnsafeKey, MAX_INPUT_DEPTH } from './safe-input.ts';
import { isUploadedFile } from './uploaded-file.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/** The plan by which the fields of an input become values. Those of a record stay texts. */
export function toInputPlan(schema: Schema | undefined): Lens {
  const plan = new Lens(withMarks(schema === undefined ? {} : describe(schema).input, { isRaw: false }));
  return plan.branches.some(({ properties }) => properties !== undefined) ? plan : new Lens({});
}

/** The values that came under one name, and the parts under names with brackets: `filter[state]`. */
interface Part {
  readonly values: unknown[];
  readonly parts: Map<string, Part>;
}

/**
 * The input for what was sent, coerced by the plan. `tags[]` is `tags`, and counts after it; `filter[name]` is a part
 * of `filter` where that is an object or a list; a name that is sent twice is an array where the field is an array,
 * otherwise the last one wins; unsafe names are dropped.
 */
export function toInputFields(sent: SentFields, plan: Lens): InputFields {
  const root = toPart();
  const keys = Object.keys(sent);
  const isLate = (key: string): boolean => key.length > 2 && key.endsWith('[]');
  for (const key of keys.some(isLate) ? keys.sort((one, other) => Number(isLate(one)) - Number(isLate(other))) : keys) {
    let part = root;
    for (const name of toPath(key, plan)) {
      const inner = part.parts.get(name) ?? toPart();
      part.parts.set(name, inner);
      part = inner;
    }
    const value = sent[key];
    if (Array.isArray(value)) for (const one of value) part.values.push(one);
    else part.values.push(value);
  }
  return toRecord(root, plan);
}

/** Path parameters win over everything else of their name. A request without any needs no plan. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: () => Lens): void {
  for (const [name, text] of Object.entries(params)) input[name] = toFieldValue(plan().inside(name), [text]);
}

/** The value of a field for what was sent under its name, which is at least one text or file. */
export function toFieldValue(field: Lens | undefined, sent: readonly unknown[]): unknown {
  const last = sent[sent.length - 1];
  if (field === undefined) return last;
  const { list } = field.reading;
  if (list === 'never' || (list === 'repeated' && sent.length === 1)) return toValue(field, last);
  // A part of a form that is JSON is the whole list.
  if (sent.length === 1 && Array.isArray(last)) return last;
  return sent.map((value, index) => toValue(field.inside(String(index)), value));
}

/** The value for one text or file; a list is never made of it. */
function toValue(field: Lens | undefined, value: unknown): unknown {
  if (field === undefined) return value;
  if (typeof value === 'string') return field.reading.coerce(value);
  if (!field.reading.takesWebFile || !isUploadedFile(value)) return value;
  return new File([new Uint8Array(value.buffer)], value.filename, { type: value.mimeType });
}

function toPath(key: string, plan: Lens): readonly string[] {
  if (!key.endsWith(']') || plan.has(key)) return [key];
  const bare = key.length > 2 && key.endsWith('[]') ? key.slice(0, -2) : key;
  const opening = bare.indexOf('[');
  const name = bare.slice(0, Math.max(0, opening));
  if (!bare.endsWith(']') || plan.inside(name)?.reading.takesParts !== true) return [bare];
  // Deeper than JSON may be, a text stands where an object should, and is refused for that.
  const inside = bare.slice(opening + 1, -1).split('][');
  return [name, ...inside.slice(0, MAX_INPUT_DEPTH)];
}

/** A list has first the values of the name itself, then those with a position, in order. */
function toPartValue(field: Lens | undefined, part: Part): unknown {
  const { values, parts } = part;
  if (parts.size === 0) return toFieldValue(field, values);
  const isList = field !== undefined && field.reading.list !== 'never' && [...parts.keys()].every(isPosition);
  if (!isList) return toRecord(part, field);
  const placed = [...parts].sort(([one], [other]) => Number(one) - Number(other)).map(([, item]) => item);
  const items = [...values.map((value) => toPart([value])), ...placed];
  return items.map((item, index) => toPartValue(field.inside(String(index)), item));
}

function isPosition(name: string): boolean {
  return /^\d{1,9}$/.test(name);
}

function toRecord({ parts }: Part, lens: Lens | undefined): InputFields {
  const safe = [...parts].filter(([name]) => !isUnsafeKey(name));
  return Object.fromEntries(safe.map(([name, part]) => [name, toPartValue(lens?.inside(name), part)]));
}

function toPart(values: unknown[] = []): Part {
  return { values, parts: new Map() };
}
