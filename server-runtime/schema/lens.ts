import type { FileRules } from './find-file-rules.ts';
import type { JsonSchema } from './json-schema.ts';
import { marksOf, withMarks } from './json-schema.ts';

/** A look at one place of an input: what its schema takes there, worked out when it is first asked for, once. */
export class Lens {
  readonly #json: JsonSchema;
  readonly #root: JsonSchema;
  readonly #inner = new Map<string | undefined, Lens | undefined>();
  #branches: readonly JsonBranch[] | undefined;
  #names: ReadonlySet<string> | undefined;
  #reading: Reading | undefined;

  /** `root` is what references point into. */
  constructor(json: JsonSchema, root = json) {
    this.#json = json;
    this.#root = root;
  }

  /** The kinds of value that are taken. */
  get branches(): readonly JsonBranch[] {
    return (this.#branches ??= toJsonBranches(this.#json, this.#root));
  }

  /** The way in which texts become values here. */
  get reading(): Reading {
    return (this.#reading ??= toReading(this));
  }

  /** Whether a field or an item is named by the schema. */
  has(step: string): boolean {
    this.#names ??= new Set(this.branches.flatMap((branch) => Object.keys(partsOf(branch))));
    return this.#names.has(step);
  }

  /** A field or an item; undefined where nothing is said of it, and in what a function gets as it was sent. */
  inside(step: string): Lens | undefined {
    const key = this.has(step) ? step : undefined;
    if (!this.#inner.has(key)) {
      const parts = this.branches.some(isRaw) ? [] : findInside(this.branches, key);
      this.#inner.set(key, parts.length === 0 ? undefined : new Lens(toOneSchema('anyOf', parts), this.#root));
    }
    return this.#inner.get(key);
  }
}

/** The way in which the values that were sent for one field become its value. */
export interface Reading {
  /** Reads a single text; one that does not parse cleanly is given back. */
  readonly coerce: (text: string) => unknown;
  /** `always`: an array even of one value. `repeated`: the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** Whether names with brackets, `field[name]` and `field[0]`, are parts of it. */
  readonly takesParts: boolean;
  /** Set for a field that takes files. */
  readonly file: FileRules | undefined;
  /** Whether files are given as the `File` of the web, as `z.file()` expects. */
  readonly takesWebFile: boolean;
}

function toReading(lens: Lens): Reading {
  const { branches } = lens;
  const lists = branches.filter((branch) => isList(branch) && !isRaw(branch));
  const scalars = branches.filter((branch) => isRaw(branch) || !(isList(branch) || isObject(branch)));
  const holders = lists.length > 0 ? [...branches, ...(lens.inside('0')?.branches ?? [])] : branches;
  return {
    coerce: toCoercion(scalars),
    list: lists.length === 0 ? 'never' : lists.length === branches.length ? 'always' : 'repeated',
    takesParts: branches.some((branch) => isList(branch) || isObject(branch)),
    file: holders.map((branch) => marksOf(branch).file).find((rules) => rules !== undefined),
    takesWebFile: scalars.some((branch) => branch['contentEncoding'] === 'binary'),
  };
}

function isList({ type }: JsonBranch): boolean {
  return type === 'array';
}

/** The one reading that a union leaves: beside `z.string()` a number stays text, beside `z.literal('auto')` not. */
function toCoercion(branches: readonly JsonBranch[]): Reading['coerce'] {
  const types = new Set(branches.flatMap(toTextTypes));
  const [takesNumber, takesBoolean] = [types.has('number'), types.has('boolean')];
  if (types.has('string') || (!takesNumber && !takesBoolean)) return (text) => text;
  const words = new Set(branches.flatMap(toChoices));
  return (text) => {
    if (words.has(text)) return text;
    if (takesBoolean && (text === 'true' || text === 'false')) return text === 'true';
    return takesNumber && DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  };
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The types that a text may stand for: `string` for any text, none for words alone. */
function toTextTypes(branch: JsonBranch): readonly string[] {
  const { texts } = marksOf(branch);
  const choices = toChoices(branch);
  if (isRaw(branch)) return ['string'];
  if (choices.length > 0) return choices.map((value) => typeof value).filter((type) => type !== 'string');
  const { type } = texts ?? branch;
  return [type === 'integer' ? 'number' : type === 'number' || type === 'boolean' ? type : 'string'];
}

/**
 * A JSON Schema of one kind of value, without references and choices. Without a type it is any value. That of a list
 * has its first items by their positions, and the others, as an object has its fields.
 */
export type JsonBranch = JsonSchema & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
};

export function isObject({ type }: JsonBranch): boolean {
  return type === 'object';
}

/** Whether a function of the application gets what was sent, as it was sent. */
export function isRaw(branch: JsonBranch): boolean {
  return marksOf(branch).isRaw === true;
}

/** The fields and items by their names and positions. */
export function partsOf({ properties = {} }: JsonBranch): Readonly<Record<string, JsonSchema>> {
  return properties;
}

/** The schema of the fields and items that are not named, where a branch says one. */
export function findRest({ additionalProperties: rest }: JsonBranch): JsonSchema | undefined {
  return typeof rest === 'object' ? rest : undefined;
}

function findInside(branches: readonly JsonBranch[], step: string | undefined): readonly JsonSchema[] {
  return branches.flatMap((branch) => {
    const isNamed = step !== undefined && Object.hasOwn(partsOf(branch), step);
    return (isNamed ? partsOf(branch)[step] : findRest(branch)) ?? ([] as readonly JsonSchema[]);
  });
}

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
  if (typeof json === 'boolean') return json ? [{}] : [];
  const { $ref, anyOf, oneOf, allOf = [], $defs: _parts, ...own } = json as JsonSchema & Choices;
  const inside = (part: JsonSchema): readonly JsonBranch[] => toJsonBranches(part, root, above);
  const sides = [toOwnBranches(own), ...allOf.map(inside)];
  for (const choices of [anyOf, oneOf]) if (choices !== undefined) sides.push(choices.flatMap(inside));
  if ($ref !== undefined && !above.includes($ref))
    sides.push(toJsonBranches(findReferred(root, $ref), root, [...above, $ref]));
  return sides.reduce((left, right) => left.flatMap((one) => right.flatMap((other) => toBoth(one, other))));
}

interface Choices {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The branches that a schema has without the schemas that it is made of. */
function toOwnBranches(json: JsonSchema): readonly JsonBranch[] {
  const { type = 'properties' in json ? 'object' : undefined, prefixItems = [], items } = json as OwnWords;
  if (type === undefined) return 'not' in json ? [] : [json as JsonBranch];
  const list = { properties: Object.fromEntries(prefixItems.entries()), additionalProperties: items };
  const types = [type].flat().filter((each) => each !== 'null');
  return types.map((each) => ({ ...json, ...(each === 'array' && list), type: each }) as JsonBranch);
}

interface OwnWords {
  readonly type?: string | readonly string[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
}

/** Two schemas of one value as one; none where their types exclude each other. */
function toBoth(one: JsonBranch, other: JsonBranch): readonly JsonBranch[] {
  const types = new Set([one.type, other.type].filter((type) => type !== undefined));
  if (types.size > 1 && !(types.has('integer') && types.has('number'))) return [];
  const both = withMarks({ ...one, ...other }, marksOf(one));
  const parts = [one, other].filter(({ type }) => type !== undefined);
  return [types.has('object') || types.has('array') ? { ...both, ...joinParts(parts, 'allOf') } : both];
}

/** The parts of several branches as those of one, in all of which a value is, or in any. */
function joinParts(branches: readonly JsonBranch[], keyword: 'allOf' | 'anyOf'): JsonBranch {
  const names = [...new Set(branches.flatMap((branch) => Object.keys(partsOf(branch))))];
  const needed = branches.map(({ required = [] }) => required);
  const required = names.filter((name) =>
    needed[keyword === 'allOf' ? 'some' : 'every']((each) => each.includes(name)),
  );
  const rests = findInside(branches, undefined);
  const isClosed = branches.length > 0 && branches.every((branch) => branch.additionalProperties === false);
  return {
    properties: Object.fromEntries(names.map((name) => [name, toOneSchema(keyword, findInside(branches, name))])),
    ...(required.length > 0 && { required }),
    ...(rests.length > 0
      ? { additionalProperties: toOneSchema(keyword, rests) }
      : isClosed && { additionalProperties: false }),
  };
}

export interface OneObject {
  readonly json: JsonBranch;
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  readonly rest: JsonSchema | undefined;
}

/** One object with the fields of all that a schema takes; those that all of them require are required. */
export function toOneObject(branches: readonly JsonBranch[]): OneObject {
  const objects = branches.filter(isObject);
  const { required = [], ...joined } = joinParts(objects, 'anyOf');
  const json = { ...(objects.length === 1 && objects[0]), ...joined, ...(required.length > 0 && { required }) };
  const fields = new Map(Object.entries(partsOf(joined)));
  return { json, fields, required: new Set(required), rest: findRest(joined) };
}

/** A schema that stands there twice counts once: those that contain themselves would double at each level. */
function toOneSchema(keyword: 'allOf' | 'anyOf', schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = new Map(schemas.map((json) => [JSON.stringify(json), json])).values();
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
