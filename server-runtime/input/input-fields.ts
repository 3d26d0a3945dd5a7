import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { Lens, toObjectBranches } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnsafeKey, MAX_INPUT_DEPTH } from './safe-input.ts';
import { isUploadedFile } from './uploaded-file.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/** The plan by which the fields of an input become values. Those of a record at the top stay texts. */
export function toInputPlan(schema: Schema | undefined): Lens {
  const root = schema === undefined ? {} : describeInput(schema);
  return new Lens(root, () =>
    toObjectBranches(root).map((each) => ({
      ...each,
      isRaw: false,
      rest: each.fields.size === 0 ? undefined : each.rest,
    })),
  );
}

/** An input that cannot be described is one that takes anything: its texts stay as they were sent. */
export function describeInput(schema: Schema): JsonSchema {
  try {
    return describe(schema).input;
  } catch {
    return {};
  }
}

/** The values that came under one name, and the parts under names with brackets: `filter[state]`. */
interface Part {
  readonly values: unknown[];
  /** Undefined without any. */
  parts: Map<string, Part> | undefined;
}

/**
 * The input for what was sent, coerced by the plan. `tags[]` is `tags`, and counts after it; `filter[name]` is a part
 * of `filter` where that is an object or a list; a name that is sent twice is an array where the field is an array,
 * otherwise the last one wins; unsafe names are dropped.
 */
export function toInputFields(sent: SentFields, plan: Lens): InputFields {
  const root = toPart();
  const top = plan.narrow((name) => sent[name]);
  for (const key of Object.keys(sent)) {
    let part = root;
    for (const name of toPath(key, top)) part = addPart(part, name);
    const value = sent[key];
    if (Array.isArray(value)) for (const one of value) part.values.push(one);
    else part.values.push(value);
  }
  return toRecord(root, (name, part) => toPartValue(top.inside(name), part));
}

/** Path parameters win over everything else of their name. A request without any needs no plan. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: () => Lens): void {
  const names = Object.keys(params);
  if (names.length === 0) return;
  const top = plan().narrow((name) => params[name] ?? input[name]);
  for (const name of names) input[name] = toFieldValue(top.inside(name), [params[name]]);
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
  const opening = key.indexOf('[');
  if (opening === -1 || !key.endsWith(']') || plan.has(key)) return [key];
  const name = key.slice(0, opening);
  // Deeper than JSON may be, a text stands where an object should, and is refused for that.
  if (plan.inside(name)?.reading.takesParts === true) {
    const inside = key.slice(opening + 1, -1).split('][');
    return [name, ...inside.slice(0, MAX_INPUT_DEPTH)];
  }
  return key.endsWith('[]') && key.length > 2 ? [key.slice(0, -2), ''] : [key];
}

function toPartValue(field: Lens | undefined, part: Part): unknown {
  const { values, parts } = part;
  if (parts === undefined) return toFieldValue(field, values);
  const names = [...parts.keys()];
  if (field?.reading.takesParts !== true && names.length === 1 && names[0] === '')
    return toFieldValue(
      field,
      toItems(part).flatMap((item) => item.values),
    );
  if (field !== undefined && field.reading.list !== 'never' && names.every(isPosition))
    return toItems(part).map((item, index) => toPartValue(field.inside(String(index)), item));
  if (field?.reading.takesObject !== true) return toRaw(part);
  const narrowed = field.narrow((name) => parts.get(name)?.values.at(-1));
  return toRecord(part, (name, inside) => toPartValue(narrowed.inside(name), inside));
}

/** First those under the name itself, then those with a position, in order, then those of `[]`. */
function toItems({ values, parts }: Part): readonly Part[] {
  const placed = [...(parts ?? [])]
    .filter(([name]) => name !== '')
    .sort(([one], [other]) => Number(one) - Number(other));
  const unplaced = parts?.get('') ?? toPart();
  const toSingle = (value: unknown): Part => toPart([value]);
  const rest = unplaced.parts !== undefined ? [unplaced] : unplaced.values.map(toSingle);
  return [...values.map(toSingle), ...placed.map(([, part]) => part), ...rest];
}

/** `0`, `12`, and nothing, which stands for the next one. */
function isPosition(name: string): boolean {
  return /^\d{0,9}$/.test(name);
}

function toRaw(part: Part): unknown {
  if (part.parts !== undefined) return toRecord(part, (_name, inside) => toRaw(inside));
  return part.values.length > 1 ? part.values : part.values[0];
}

function toRecord({ parts }: Part, toInner: (name: string, part: Part) => unknown): InputFields {
  const record: InputFields = {};
  for (const [name, part] of parts ?? []) if (!isUnsafeKey(name)) record[name] = toInner(name, part);
  return record;
}

function addPart(to: Part, name: string): Part {
  const parts = (to.parts ??= new Map());
  const part = parts.get(name) ?? toPart();
  parts.set(name, part);
  return part;
}

function toPart(values: unknown[] = []): Part {
  return { values, parts: undefined };
}
