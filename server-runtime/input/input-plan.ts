import { definitionOf, type Schema } from '../schema/schema.ts';
import { isAfterFile } from './after-file.ts';
import { findObjectBranches, type ObjectBranch } from './plan/object-branch.ts';
import { type CoerceText, toEnumValues, toTextCoercion } from './plan/text-coercion.ts';
import { isPreprocess, toElements, toValueBranches, type ValueBranches } from './plan/value-branches.ts';
import { type FileRules, findFileRules, isUploadedFile, type UploadedFile } from './uploaded-file.ts';

/** The plan by which the values that were sent for one field become its value. */
export interface FieldPlan {
  /** Reads a single text. */
  readonly coerce: CoerceText;
  /** `always`: an array even of one value. `repeated`: an array of several, the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** The plan of an item of the list. */
  readonly itemAt: (index: number) => FieldPlan;
  /** Whether names with brackets, `field[name]` and `field[0]`, are parts of it. */
  readonly takesParts: boolean;
  /** The plan of its fields, where it takes an object. */
  readonly findObject: () => InputPlan | undefined;
  /** Set for a field made with `uploadedFile`. */
  readonly file: FileRules | undefined;
  /** Whether it may follow a file that is read as it arrives: a field made with `afterFile`. */
  readonly isAfterFile: boolean;
  /** Whether files are given as the `File` of the web, as `z.file()` expects. */
  readonly takesWebFile: boolean;
}

type FieldPlans = ReadonlyMap<string, FieldPlan>;

/** The plan of each field of an object, worked out once; empty for what is not an object, whose values stay as they were sent. */
export interface InputPlan {
  /** The fields by name; those of several objects are coerced where all agree. */
  readonly fields: FieldPlans;
  /** The plan of names that are not fields, where they have a schema. */
  readonly rest: FieldPlan | undefined;
  /** The fields of each object of a union, with the values that tell it from the others; empty for a single object. */
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fields: FieldPlans;
}

/** The plan of an input. The values of a record at the top stay texts. */
export function toInputPlan(schema: Schema | undefined): InputPlan {
  const branches = schema === undefined ? [] : findObjectBranches(schema);
  return toObjectPlan(branches.map((branch) => (branch.fields.size === 0 ? { ...branch, rest: undefined } : branch)));
}

/** The plans of the fields for what was sent: of a union those of the one object that its tags name. */
export function findFieldPlans({ fields, variants }: InputPlan, sent: (name: string) => unknown): FieldPlans {
  if (variants.length === 0) return fields;
  const fitting = variants.filter(
    ({ tags }) => tags.size > 0 && [...tags].every(([name, values]) => values.has(String(sent(name)))),
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
export function toValue(field: FieldPlan, value: unknown): unknown {
  if (typeof value === 'string') return field.coerce(value);
  return field.takesWebFile && isUploadedFile(value) ? toWebFile(value) : value;
}

function toWebFile({ buffer, filename, mimeType }: UploadedFile): File {
  return new File([new Uint8Array(buffer)], filename, { type: mimeType });
}

function toObjectPlan(branches: readonly ObjectBranch[]): InputPlan {
  const names = new Set(branches.flatMap(({ fields }) => [...fields.keys()]));
  const rests = branches.flatMap(({ rest }) => rest ?? []);
  const toPlans = (of: readonly ObjectBranch[]): FieldPlans =>
    new Map(
      [...names].flatMap((name): readonly [string, FieldPlan][] => {
        const schemas = of.flatMap(({ fields, rest }) => fields.get(name) ?? rest ?? []);
        return schemas.length === 0 ? [] : [[name, toFieldPlan(schemas)]];
      }),
    );
  return {
    fields: toPlans(branches),
    rest: rests.length === 0 ? undefined : toFieldPlan(rests),
    variants:
      branches.length < 2 ? [] : branches.map((branch) => ({ tags: toTags(branch), fields: toPlans([branch]) })),
  };
}

/** The fields that take certain words alone. */
function toTags({ fields }: ObjectBranch): Variant['tags'] {
  return new Map(
    [...fields].flatMap(([name, schema]): [string, ReadonlySet<string>][] => {
      const { type, values, entries } = definitionOf(schema);
      if (type === 'literal' && values !== undefined) return [[name, new Set(values.map(String))]];
      return type === 'enum' && entries !== undefined ? [[name, new Set(toEnumValues(entries).map(String))]] : [];
    }),
  );
}

function toFieldPlan(schemas: readonly Schema[]): FieldPlan {
  const { arrays, objects, scalars } = toValueBranches(schemas);
  const elements = toElements(arrays);
  return {
    coerce: toTextCoercion(scalars),
    list: arrays.length === 0 ? 'never' : scalars.length + objects.length === 0 ? 'always' : 'repeated',
    itemAt: once((index) => toFieldPlan(elements(index))),
    takesParts: arrays.length + objects.length > 0 || scalars.some(takesRawParts),
    findObject: toLazyObject(objects),
    file: schemas.map((schema) => findFileRules(schema)).find((rules) => rules !== undefined),
    isAfterFile: schemas.some(isAfterFile),
    takesWebFile: scalars.some((scalar) => definitionOf(scalar).type === 'file'),
  };
}

/** An object that `z.preprocess` gets may be sent in parts, and stays as it was sent. */
function takesRawParts(scalar: Schema): boolean {
  return isPreprocess(scalar) && findObjectBranches(scalar).length > 0;
}

/** A schema may contain itself, so that no plan is made before something is sent for it. */
function toLazyObject(objects: ValueBranches['objects']): FieldPlan['findObject'] {
  if (objects.length === 0) return () => undefined;
  let plan: InputPlan | undefined;
  return () => {
    plan ??= toObjectPlan(objects.flatMap((object) => findObjectBranches(object)));
    return plan;
  };
}

/** Items beyond the longest tuple that anybody writes have one plan. */
const MOST_ITEM_PLANS = 32;

function once<T>(make: (index: number) => T): (index: number) => T {
  const made: T[] = [];
  return (index) => {
    const at = Math.min(index, MOST_ITEM_PLANS);
    made[at] ??= make(at);
    return made[at];
  };
}
