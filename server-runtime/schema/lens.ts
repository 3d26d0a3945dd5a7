import type { FileRules } from './find-file-rules.ts';
import type { JsonSchema } from './json-schema.ts';
import { marksOf } from './json-schema.ts';

/** A look at one place of an input: what its schema takes there, worked out when it is first asked for, once. */
export class Lens {
  readonly #root: JsonSchema;
  readonly #find: () => readonly JsonBranch[];
  #branches: readonly JsonBranch[] | undefined;
  #parts: Parts | undefined;
  #variants: readonly Variant[] | undefined;
  #reading: Reading | undefined;

  constructor(root: JsonSchema, find: () => readonly JsonBranch[] = () => toJsonBranches(root, root)) {
    this.#root = root;
    this.#find = find;
  }

  /** The kinds of value that are taken. */
  get branches(): readonly JsonBranch[] {
    return (this.#branches ??= this.#find());
  }

  /** The way in which texts become values here. */
  get reading(): Reading {
    return (this.#reading ??= toReading(this));
  }

  /** Whether a field or an item is named by the schema. */
  has(step: string): boolean {
    return this.#toParts().named.has(step);
  }

  /** A field or an item; undefined where nothing is said of it, and in what a function gets as it was sent. */
  inside(step: string): Lens | undefined {
    const { named, rest } = this.#toParts();
    return named.get(step) ?? rest;
  }

  /** The one object of several that is named by what was sent for its tags, else all of them. */
  narrow(sent: (name: string) => unknown): Lens {
    this.#variants ??= this.#toVariants();
    if (this.#variants.length === 0) return this;
    const fitting = this.#variants.filter(({ tags }) =>
      tags.every(([name, texts]) => texts.includes(String(sent(name)))),
    );
    return fitting.length === 1 && fitting[0] !== undefined ? fitting[0].lens : this;
  }

  #toParts(): Parts {
    if (this.#parts !== undefined) return this.#parts;
    const holders = this.branches.filter(({ isRaw }) => !isRaw);
    const names = new Set(holders.flatMap(({ fields }) => [...fields.keys()]));
    const rest = this.#toLens(holders.map((each) => each.rest));
    const toNamed = (name: string): Lens =>
      this.#toLens(holders.map((each) => each.fields.get(name) ?? each.rest)) as Lens;
    this.#parts = { named: new Map([...names].map((name) => [name, toNamed(name)])), rest };
    return this.#parts;
  }

  /** A schema that stands there twice counts once: those that contain themselves would double at each level. */
  #toLens(schemas: readonly (JsonSchema | undefined)[]): Lens | undefined {
    const different = new Map(schemas.map((json) => [JSON.stringify(json), json]));
    const found = [...different.values()].filter((json) => json !== undefined);
    if (found.length === 0) return undefined;
    return new Lens(this.#root, () => found.flatMap((json) => toJsonBranches(json, this.#root)));
  }

  /** The objects that have fields which must be there and take certain values alone. */
  #toVariants(): readonly Variant[] {
    const objects = this.branches.filter(isObject);
    if (objects.length < 2) return [];
    const variants = objects.map((branch) => {
      const required = [...branch.fields].filter(([name]) => branch.required.has(name));
      const tags = required.map(([name, json]) => [name, toChoices(json).map(String)] as const);
      return { tags: tags.filter(([, texts]) => texts.length > 0), lens: new Lens(this.#root, () => [branch]) };
    });
    return variants.filter(({ tags }) => tags.length > 0);
  }
}

interface Parts {
  readonly named: ReadonlyMap<string, Lens>;
  readonly rest: Lens | undefined;
}

interface Variant {
  readonly tags: readonly (readonly [name: string, texts: readonly string[]])[];
  readonly lens: Lens;
}

/** The way in which the values that were sent for one field become its value. */
export interface Reading {
  /** Reads a single text; one that does not parse cleanly is given back. */
  readonly coerce: (text: string) => unknown;
  /** `always`: an array even of one value. `repeated`: the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** Whether names with brackets, `field[name]` and `field[0]`, are parts of it. */
  readonly takesParts: boolean;
  readonly takesObject: boolean;
  /** Set for a field that takes files. */
  readonly file: FileRules | undefined;
  /** Whether files are given as the `File` of the web, as `z.file()` expects. */
  readonly takesWebFile: boolean;
}

function toReading(lens: Lens): Reading {
  const { branches } = lens;
  const isScalar = ({ kind, isRaw }: JsonBranch): boolean => isRaw || kind === 'scalar' || kind === 'any';
  const scalars = branches.filter(isScalar);
  const takesList = branches.some((branch) => branch.kind === 'list' && !branch.isRaw);
  const takesObject = branches.some((branch) => isObject(branch) && !branch.isRaw);
  const holders = takesList ? [...branches, ...(lens.inside('0')?.branches ?? [])] : branches;
  return {
    coerce: toCoercion(scalars),
    list: !takesList ? 'never' : scalars.length === 0 && !takesObject ? 'always' : 'repeated',
    // An object that a function gets as it was sent may be sent in parts as well.
    takesParts: takesList || branches.some(isObject),
    takesObject,
    file: holders.map(({ json }) => marksOf(json).file).find((rules) => rules !== undefined),
    takesWebFile: scalars.some(({ kind, json }) => kind === 'scalar' && json['contentEncoding'] === 'binary'),
  };
}

/** The one reading that a union leaves: beside `z.string()` a number stays text, beside `z.literal('auto')` not. */
function toCoercion(branches: readonly JsonBranch[]): Reading['coerce'] {
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
type TextReading = 'number' | 'boolean' | 'text' | { readonly word: string };

function toReadings({ kind, json, isRaw }: JsonBranch): readonly TextReading[] {
  const { texts } = marksOf(json);
  if (isRaw || (kind !== 'scalar' && texts === undefined)) return ['text'];
  const choices = toChoices(json);
  const words = choices.filter((value) => typeof value === 'string').map((word) => ({ word }));
  const types = choices.length === 0 ? [(texts ?? json)['type']] : choices.map((value) => typeof value);
  const numbers = types.includes('number') || types.includes('integer') ? (['number'] as const) : [];
  const booleans = types.includes('boolean') ? (['boolean'] as const) : [];
  const read = [...words, ...numbers, ...booleans];
  return read.length === 0 && choices.length === 0 ? ['text'] : read;
}

/** One kind of value that a JSON Schema takes. */
export interface JsonBranch {
  /** `scalar` is a text, a number or a boolean. */
  readonly kind: 'object' | 'list' | 'scalar' | 'any';
  readonly json: JsonSchema;
  /** The fields of an object, and the first items of a list by their positions. */
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** The schema of the fields and items that are not among them, where it says one. */
  readonly rest: JsonSchema | undefined;
  /** Whether it refuses other fields. */
  readonly isClosed: boolean;
  /** Whether a function of the application gets what was sent, as it was sent. */
  readonly isRaw: boolean;
}

/** Unions that are intersected multiply; beyond this many they are taken for one another. */
const MAX_BRANCHES = 64;

/**
 * The kinds of value that a JSON Schema takes, but for null: several of a union, those of all parts together of an
 * intersection, none of what takes nothing. `root` is what its references point into; `above` are those that led here:
 * one that leads to itself says nothing.
 */
export function toJsonBranches(
  json: JsonSchema | boolean,
  root: JsonSchema,
  above: readonly string[] = [],
): readonly JsonBranch[] {
  if (typeof json === 'boolean') return json ? [toBranch('any', {})] : [];
  const { $ref, anyOf, oneOf, allOf = [] } = json as Words;
  const inside = (part: JsonSchema): readonly JsonBranch[] => toJsonBranches(part, root, above);
  const sides = [toOwnBranches(json), ...allOf.map(inside)];
  for (const choices of [anyOf, oneOf]) if (choices !== undefined) sides.push(choices.flatMap(inside));
  if ($ref !== undefined && !above.includes($ref))
    sides.push(toJsonBranches(findReferred(root, $ref), root, [...above, $ref]));
  const told = sides.filter((side) => side.length === 0 || side.some(({ kind }) => kind !== 'any'));
  const branches = told.length === 0 ? [toBranch('any', json)] : told.reduce(join);
  return marksOf(json).isRaw === true ? branches.map((branch) => ({ ...branch, isRaw: true })) : branches;
}

/** The branches that are objects. */
export function toObjectBranches(json: JsonSchema, root = json): readonly JsonBranch[] {
  return toJsonBranches(json, root).filter(isObject);
}

export function isObject({ kind }: JsonBranch): boolean {
  return kind === 'object';
}

type Words = JsonSchema & {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
};

function toBranch(kind: JsonBranch['kind'], json: JsonSchema): JsonBranch {
  const { properties = {}, required = [], additionalProperties, prefixItems = [], items } = json as Words;
  const rest = kind === 'object' ? additionalProperties : kind === 'list' ? items : undefined;
  const fields = kind === 'object' ? properties : kind === 'list' ? prefixItems : [];
  return {
    kind,
    json,
    fields: new Map(Object.entries(fields)),
    required: new Set(required),
    rest: typeof rest === 'object' ? rest : undefined,
    isClosed: rest === false,
    isRaw: false,
  };
}

/** The branches that a schema has without the schemas that it is made of. */
function toOwnBranches(json: JsonSchema): readonly JsonBranch[] {
  const { type } = json as Words;
  if ('not' in json && type === undefined) return [];
  if (type !== 'null' && ('enum' in json || 'const' in json)) return [toBranch('scalar', json)];
  const types = typeof type === 'string' ? [type] : (type ?? ['properties' in json ? 'object' : 'any']);
  return types
    .filter((each) => each !== 'null')
    .map((each) => {
      if (each === 'object') return toBranch('object', json);
      if (each === 'array') return toBranch('list', json);
      return toBranch(each === 'any' ? 'any' : 'scalar', { ...json, type: each });
    });
}

function join(left: readonly JsonBranch[], right: readonly JsonBranch[]): readonly JsonBranch[] {
  const [ones, others] = [left.filter(isObject), right.filter(isObject)];
  if (ones.length === 0 && others.length === 0) return [...left, ...right];
  if (ones.length === 0 || others.length === 0) return ones.length === 0 ? others : ones;
  if (ones.length * others.length > MAX_BRANCHES) return [...ones, ...others];
  return ones.flatMap((one) => others.map((other) => toBoth(one, other)));
}

function toBoth(one: JsonBranch, other: JsonBranch): JsonBranch {
  const shared = [...other.fields].map(([name, json]): [string, JsonSchema] => {
    const first = one.fields.get(name);
    return [name, first === undefined ? json : toOneSchema('allOf', [first, json])];
  });
  return {
    ...one,
    json: { ...one.json, ...other.json },
    fields: new Map([...one.fields, ...shared]),
    required: new Set([...one.required, ...other.required]),
    rest: one.rest ?? other.rest,
    isClosed: one.isClosed && other.isClosed,
  };
}

/** The fields of several objects as those of one: required are those that all of them require. */
export function toOneObject(branches: readonly JsonBranch[]): JsonBranch {
  const names = [...new Set(branches.flatMap(({ fields }) => [...fields.keys()]))];
  const schemasOf = (name: string): readonly JsonSchema[] =>
    branches.map(({ fields }) => fields.get(name)).filter((json) => json !== undefined);
  return {
    ...toBranch('object', branches.length === 1 && branches[0] !== undefined ? branches[0].json : {}),
    fields: new Map(names.map((name) => [name, toOneSchema('anyOf', schemasOf(name))])),
    required: new Set(names.filter((name) => branches.every(({ required }) => required.has(name)))),
    rest: branches.find(({ rest }) => rest !== undefined)?.rest,
    isClosed: branches.length > 0 && branches.every(({ isClosed }) => isClosed),
  };
}

function toOneSchema(keyword: 'allOf' | 'anyOf', schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = [...new Map(schemas.map((json) => [JSON.stringify(json), json])).values()];
  return others.length === 0 ? first : { [keyword]: [first, ...others] };
}

/** The values that a schema lists. */
export function toChoices(json: JsonSchema): readonly unknown[] {
  return 'const' in json ? [json['const']] : ((json['enum'] ?? []) as readonly unknown[]);
}

/** The schema that a reference leads to, `#` or `#/$defs/Tree`. One that leads nowhere admits anything. */
export function findReferred(root: JsonSchema, ref: string): JsonSchema {
  const [, ...steps] = ref
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((json, step) => (json as JsonSchema | undefined)?.[step], root);
  return (found ?? {}) as JsonSchema;
}
