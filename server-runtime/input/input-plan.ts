import { describe } from '../schema/describe.ts';
import type { FileRules } from '../schema/find-file-rules.ts';
import {
  type FieldsBranch,
  isObject,
  type JsonBranch,
  toChoices,
  toJsonBranches,
  toObjectBranches,
} from '../schema/json-branches.ts';
import { marksOf } from '../schema/marks.ts';
import type { Schema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { isUploadedFile, type UploadedFile } from './uploaded-file.ts';

/** The plan by which the values that were sent for one field become its value. */
export interface FieldPlan {
  /** Reads a single text; one that does not parse cleanly is given back. */
  readonly coerce: (text: string) => unknown;
  /** `always`: an array even of one value. `repeated`: an array of several, the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** The plan of an item of the list. */
  readonly itemAt: (index: number) => FieldPlan;
  /** Whether names with brackets, `field[name]` and `field[0]`, are parts of it. */
  readonly takesParts: boolean;
  /** The plan of its fields, where it takes an object. */
  readonly findObject: () => InputPlan | undefined;
  /** Set for a field that takes files. */
  readonly file: FileRules | undefined;
  /** Whether files are given as the `File` of the web, as `z.file()` expects. */
  readonly takesWebFile: boolean;
}

type FieldPlans = ReadonlyMap<string, FieldPlan>;

/** The plan of each field of an object; empty for what is not an object, whose values stay as they were sent. */
export interface InputPlan {
  /** The fields by name; those of several objects are coerced where all agree. */
  readonly fields: FieldPlans;
  /** The plan of names that are not fields, where they have a schema. */
  readonly rest: FieldPlan | undefined;
  /** The fields of each object of a union, with the texts that tell it from the others; empty for a single object. */
  readonly variants: readonly { readonly tags: ReadonlyMap<string, readonly string[]>; readonly fields: FieldPlans }[];
}

/** The plan of an input. The values of a record at the top stay texts. */
export function toInputPlan(schema: Schema | undefined): InputPlan {
  const root = schema === undefined ? {} : describeInput(schema);
  const objects = toObjectBranches(root).map((each) => (each.fields.size === 0 ? { ...each, rest: undefined } : each));
  return toObjectPlan(objects, root);
}

/** An input that cannot be described is one that takes anything: its texts stay as they were sent. */
export function describeInput(schema: Schema): JsonSchema {
  try {
    return describe(schema).input;
  } catch {
    return {};
  }
}

/** The plans of the fields for what was sent: of a union those of the one object that its tags name. */
export function findFieldPlans({ fields, variants }: InputPlan, sent: (name: string) => unknown): FieldPlans {
  if (variants.length === 0) return fields;
  const fitting = variants.filter(
    ({ tags }) => tags.size > 0 && [...tags].every(([name, texts]) => texts.includes(String(sent(name)))),
  );
  return fitting.length === 1 ? (fitting[0]?.fields ?? fields) : fields;
}

/** The value of a field for what was sent under its name, which is at least one text or file. */
export function toFieldValue(field: FieldPlan | undefined, sent: readonly unknown[]): unknown {
  const last = sent[sent.length - 1];
  if (field === undefined) return last;
  if (field.list === 'never' || (field.list === 'repeated' && sent.length === 1)) return toValue(field, last);
  // A part of a form that is JSON is the whole list.
  if (sent.length === 1 && Array.isArray(last)) return last;
  return sent.map((value, index) => toValue(field.itemAt(index), value));
}

/** The value for one text or file; a list is never made of it. */
function toValue(field: FieldPlan, value: unknown): unknown {
  if (typeof value === 'string') return field.coerce(value);
  return field.takesWebFile && isUploadedFile(value) ? toWebFile(value) : value;
}

function toWebFile({ buffer, filename, mimeType }: UploadedFile): File {
  return new File([new Uint8Array(buffer)], filename, { type: mimeType });
}

function toObjectPlan(branches: readonly FieldsBranch[], root: JsonSchema): InputPlan {
  const names = new Set(branches.flatMap(({ fields }) => [...fields.keys()]));
  const rests = branches.flatMap(({ rest }): readonly JsonSchema[] => (rest === undefined ? [] : [rest]));
  const toPlans = (of: readonly FieldsBranch[]): FieldPlans =>
    new Map(
      [...names].flatMap((name): readonly [string, FieldPlan][] => {
        const schemas = of.map(({ fields, rest }) => fields.get(name) ?? rest).filter((json) => json !== undefined);
        return schemas.length === 0 ? [] : [[name, toFieldPlan(schemas, root)]];
      }),
    );
  return {
    fields: toPlans(branches),
    rest: rests.length === 0 ? undefined : toFieldPlan(rests, root),
    variants:
      branches.length < 2 ? [] : branches.map((branch) => ({ tags: toTags(branch), fields: toPlans([branch]) })),
  };
}

/** The fields that must be there and take certain values alone, with the texts of these. */
function toTags({ fields, required }: FieldsBranch): ReadonlyMap<string, readonly string[]> {
  const named = [...fields].map(([name, json]) => [name, required.has(name) ? toChoices(json) : []] as const);
  return new Map(named.filter(([, values]) => values.length > 0).map(([name, values]) => [name, values.map(String)]));
}

/** Items beyond the longest tuple that anybody writes have one plan. */
const MOST_ITEM_PLANS = 32;

function toFieldPlan(schemas: readonly JsonSchema[], root: JsonSchema): FieldPlan {
  const branches = schemas.flatMap((json) => toJsonBranches(json, root));
  const lists = branches.flatMap((each) => (each.kind === 'list' && each.isRaw !== true ? [each.json] : []));
  const objects = branches.filter(isObject).filter(({ isRaw }) => isRaw !== true);
  const scalars = branches.filter((each) => each.isRaw === true || each.kind === 'scalar' || each.kind === 'any');
  const holders = [...branches, ...lists.flatMap((list) => toJsonBranches(toItem(list, 0), root))];
  const files = holders.flatMap((each) => marksOf(each.json).file ?? []);
  return {
    coerce: toTextCoercion(scalars),
    list: lists.length === 0 ? 'never' : scalars.length + objects.length === 0 ? 'always' : 'repeated',
    itemAt: once((index) =>
      toFieldPlan(
        lists.map((list) => toItem(list, index)),
        root,
      ),
    ),
    // An object that a function gets as it was sent may be sent in parts as well.
    takesParts: lists.length > 0 || branches.some(isObject),
    // A schema may contain itself, so that no plan is made before something is sent for it.
    findObject: once(() => (objects.length === 0 ? undefined : toObjectPlan(objects, root))) as () => InputPlan,
    file: files[0],
    takesWebFile: scalars.some((each) => each.kind === 'scalar' && each.json['contentEncoding'] === 'binary'),
  };
}

function toItem({ prefixItems = [], items }: JsonSchema, index: number): JsonSchema {
  const first = prefixItems as readonly JsonSchema[];
  const rest = typeof items === 'object' ? (items as JsonSchema) : first.at(-1);
  return first[index] ?? rest ?? {};
}

function once<T>(make: (index: number) => T): (index?: number) => T {
  const made: T[] = [];
  return (index = 0) => {
    const at = Math.min(index, MOST_ITEM_PLANS);
    if (!(at in made)) made[at] = make(at);
    return made[at] as T;
  };
}

/** The reading that all branches of a union leave a text: beside `z.string()` a number stays text, beside `z.literal('auto')` it does not. */
function toTextCoercion(branches: readonly JsonBranch[]): FieldPlan['coerce'] {
  const readings = branches.flatMap(toReadings);
  const takesNumber = readings.includes('number');
  const takesBoolean = readings.includes('boolean');
  if (readings.includes('text') || (!takesNumber && !takesBoolean)) return (text) => text;
  const words = new Set(readings.flatMap((reading) => (typeof reading === 'object' ? reading.word : [])));
  return (text) => {
    if (words.has(text)) return text;
    if (takesBoolean && (text === 'true' || text === 'false')) return text === 'true';
    return takesNumber && DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  };
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A text as one branch takes it: as a number, a boolean, one word as it is, or any text. */
type Reading = 'number' | 'boolean' | 'text' | { readonly word: string };

function toReadings({ kind, json, isRaw }: JsonBranch): readonly Reading[] {
  const { texts } = marksOf(json);
  if (isRaw === true || (kind !== 'scalar' && texts === undefined)) return ['text'];
  const choices = toChoices(json);
  if (choices.length > 0) return choices.flatMap(toReading);
  const { type } = texts ?? json;
  return [type === 'integer' ? 'number' : type === 'number' || type === 'boolean' ? type : 'text'];
}

function toReading(value: unknown): Reading | readonly Reading[] {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return typeof value === 'string' ? { word: value } : [];
}
