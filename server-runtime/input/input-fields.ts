import { describe } from '../schema/describe.ts';
import { Lens } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnsafeKey, MAX_INPUT_DEPTH, parseJson } from './safe-input.ts';
import { isUploadedFile } from './uploaded-file.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
export type InputFields = Record<string, unknown>;

/** The plan by which the fields of an input become values. Those of a record stay texts. */
export function toInputPlan(schema: Schema | undefined): Lens {
  const plan = new Lens({ ...(schema && describe(schema).input), 'x-capix-raw': false });
  return plan.branches.some(({ properties }) => Object.keys(properties).length > 0)
    ? plan
    : new Lens({});
}

/** The input for the texts and files of a request, coerced by the plan. `tags[]` means `tags`, and counts after it. */
export function toInputFields(sent: SentFields, plan: Lens): InputFields {
  const keys = Object.keys(sent);
  const input: InputFields = {};
  if (!keys.some((key) => key.endsWith(']'))) {
    for (const key of keys)
      if (!isUnsafeKey(key)) input[key] = toFieldValue(plan.inside(key), toValues(sent[key]));
    return input;
  }
  const root = toPart();
  for (const key of keys) {
    let part = root;
    for (const name of toPath(key, plan)) {
      const inner = part.parts.get(name) ?? toPart();
      part.parts.set(name, inner);
      part = inner;
    }
    const place = key.length > 2 && key.endsWith('[]') ? 'late' : 'values';
    part[place] = part[place].concat(toValues(sent[key]));
  }
  return toRecord(root, plan);
}

function toValues(sent: unknown): readonly unknown[] {
  return Array.isArray(sent) ? sent : [sent];
}

/** The value of a field for the texts and files under its name, of which there is at least one. */
export function toFieldValue(field: Lens | undefined, sent: readonly unknown[]): unknown {
  const last = sent[sent.length - 1];
  if (field === undefined) return last;
  const { list, readsJson } = field.reading;
  if (readsJson && list !== 'never' && sent.length === 1) {
    const whole = toJsonValue(last);
    if (Array.isArray(whole)) return whole;
  }
  if (list === 'never' || (list === 'repeated' && sent.length === 1)) return toValue(field, last);
  // A part of a form that is JSON is the whole list.
  if (sent.length === 1 && Array.isArray(last)) return last;
  return sent.map((value, index) => toValue(field.inside(String(index)), value));
}

/** The value for one text or file; a list is never made of it. `z.file()` expects the `File` of the web. */
function toValue(field: Lens | undefined, value: unknown): unknown {
  if (typeof value === 'string') {
    if (field === undefined) return value;
    const { readsJson, coerce } = field.reading;
    return readsJson ? (toJsonValue(value) ?? value) : coerce(value);
  }
  const takesFile =
    field?.branches.some((branch) => branch['contentEncoding'] === 'binary') === true;
  if (!takesFile || !isUploadedFile(value)) return value;
  return new File([new Uint8Array(value.buffer)], value.filename, { type: value.mimeType });
}

/** The object or list that a text is as JSON, without unsafe keys; undefined for any other text. */
function toJsonValue(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
  const parsed = parseJson(Buffer.from(text), 'The field');
  return parsed.ok ? parsed.value : undefined;
}

/** The values that came under one name, and the parts under names with brackets: `filter[state]`. */
interface Part {
  values: readonly unknown[];
  /** The values that came under the name with `[]`. */
  late: readonly unknown[];
  readonly parts: Map<string, Part>;
}

function toPart(...values: unknown[]): Part {
  return { values, late: [], parts: new Map() };
}

/** The places that lead to the field of a name: `filter[state]` is `filter`, `state`. */
export function toPath(key: string, plan: Lens): readonly string[] {
  if (!key.endsWith(']') || plan.has(key)) return [key];
  const bare = key.replace(/(?<=.)\[\]$/s, '');
  const { name = '', inside = '' } = /^(?<name>[^[]+)\[(?<inside>.*)\]$/s.exec(bare)?.groups ?? {};
  if (plan.inside(name)?.reading.takesParts !== true) return [bare];
  // Deeper than JSON may be, a text stands where an object should, and is refused for that.
  return [name, ...inside.split('][').slice(0, MAX_INPUT_DEPTH)];
}

/** A list has first the values of the name itself, then those with a position, in order. */
function toPartValue(field: Lens | undefined, part: Part): unknown {
  const { parts } = part;
  const values = [...part.values, ...part.late];
  if (parts.size === 0) return toFieldValue(field, values);
  const isList = field !== undefined && field.reading.list !== 'never';
  if (!isList || [...parts.keys()].some((name) => !/^\d{1,9}$/.test(name)))
    return toRecord(part, field);
  const placed = [...parts]
    .sort(([one], [other]) => Number(one) - Number(other))
    .map((each) => each[1]);
  const items = [...values.map((value) => toPart(value)), ...placed];
  return items.map((item, index) => toPartValue(field.inside(String(index)), item));
}

function toRecord({ parts }: Part, lens: Lens | undefined): InputFields {
  const safe = [...parts].filter(([name]) => !isUnsafeKey(name));
  return Object.fromEntries(
    safe.map(([name, part]) => [name, toPartValue(lens?.inside(name), part)]),
  );
}
