import type { JsonSchema, MarkedSchema } from './json-schema.ts';

/** A view of one place of an input: the values that its schema takes there. References point into `root`. */
export class Lens {
  readonly branches: readonly JsonBranch[];
  readonly #json: JsonSchema;
  readonly #root: JsonSchema;
  readonly #inner = new Map<string | undefined, Lens | undefined>();
  #reading: Reading | undefined;
  #object: OneObject | undefined;

  constructor(json: JsonSchema, root = json) {
    this.#json = json;
    this.#root = root;
    this.branches = toJsonBranches(json, root);
  }

  get reading(): Reading {
    this.#reading ??= toReading(this);
    return this.#reading;
  }

  get object(): OneObject {
    this.#object ??= toOneObject(this.branches);
    return this.#object;
  }

  /** Whether null fits here, which no branch tells. */
  get takesNull(): boolean {
    return takesNull(this.#json, this.#root);
  }

  has(step: string): boolean {
    return this.branches.some(({ properties }) => Object.hasOwn(properties, step));
  }

  /** A field or an item; undefined where the schema has none, and inside a value that a function gets unchanged. */
  inside(step: string): Lens | undefined {
    const key = this.has(step) ? step : undefined;
    if (!this.#inner.has(key)) {
      const parts = this.branches.some(isRaw) ? [] : findInside(this.branches, key);
      this.#inner.set(
        key,
        parts.length === 0 ? undefined : new Lens(toOneSchema('anyOf', parts), this.#root),
      );
    }
    return this.#inner.get(key);
  }
}

/** The way in which a text of a query or a form is read. */
export interface Reading {
  /** Reads a single text. Gives back one that does not parse cleanly. */
  readonly coerce: (text: string) => unknown;
  /** `always`: an array even of one value. `repeated`: the bare value of one. `never`: the last one counts. */
  readonly list: 'always' | 'repeated' | 'never';
  /** Whether a text can only stand for an object or a list, as its JSON: neither it nor an item is a text. */
  readonly readsJson: boolean;
  /** Whether names with brackets, `field[name]` and `field[0]`, are parts of it. */
  readonly takesParts: boolean;
  readonly file: MarkedSchema['x-capix-file'];
}

function toReading(lens: Lens): Reading {
  const { branches } = lens;
  const holders = branches.filter((branch) => branch.type === 'array' || isObject(branch));
  const lists = holders.filter((branch) => !isObject(branch) && !isRaw(branch));
  const items = lists.length > 0 ? (lens.inside('0')?.branches ?? []) : [];
  const isHolder = holders.length > 0 && holders.length === branches.length;
  return {
    coerce: toCoercion(branches.filter((branch) => isRaw(branch) || !holders.includes(branch))),
    list: toListReading(lists.length, branches.length),
    readsJson:
      isHolder && !holders.some(isRaw) && (lists.length === 0 || !items.some(takesAnyText)),
    takesParts: holders.length > 0,
    file: [...branches, ...items].find((branch) => branch['x-capix-file'])?.['x-capix-file'],
  };
}

/** Some of all `branches` of a schema take an array: `lists` of them. */
function toListReading(lists: number, branches: number): Reading['list'] {
  if (lists === 0) return 'never';
  return lists === branches ? 'always' : 'repeated';
}

/** The one reading that a union leaves: beside `z.string()` a number stays text, beside `z.literal('auto')` not. */
function toCoercion(branches: readonly JsonBranch[]): (text: string) => unknown {
  const types = new Set(branches.flatMap(toTextTypes));
  const [takesNumber, takesBoolean] = [
    types.has('number') || types.has('integer'),
    types.has('boolean'),
  ];
  if (types.has('string') || (!takesNumber && !takesBoolean)) return (text) => text;
  const words = new Set(branches.flatMap(toChoices));
  return (text) => {
    if (words.has(text)) return text;
    if (takesBoolean && (text === 'true' || text === 'false')) return text === 'true';
    return takesNumber && DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  };
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function takesAnyText(item: JsonBranch): boolean {
  return toTextTypes(item).includes('string') || toChoices(item).length > 0;
}

/** The types that a text may stand for: `string` for any text, none for words alone. */
function toTextTypes(branch: JsonBranch): readonly unknown[] {
  if (isRaw(branch)) return ['string'];
  const choices = toChoices(branch).map((value) => typeof value);
  const { type = 'string' } = branch['x-capix-texts'] ?? branch;
  return choices.length > 0 ? choices.filter((each) => each !== 'string') : [type];
}

/** A JSON Schema of one kind of value, without a type of any. A list has its first items by their positions. */
export type JsonBranch = MarkedSchema & {
  readonly type?: string;
  readonly properties: Readonly<Record<string, MarkedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
};

export function isObject({ type }: JsonBranch): boolean {
  return type === 'object';
}

export function isRaw(branch: JsonBranch): boolean {
  return branch['x-capix-raw'] === true;
}

/** The schemas of a field or an item in each branch; without a step, of those that are not named. */
function findInside(branches: readonly JsonBranch[], step?: string): readonly JsonSchema[] {
  return branches.flatMap(({ properties, additionalProperties: rest }) => {
    if (step !== undefined && Object.hasOwn(properties, step))
      return properties[step] as JsonSchema;
    return typeof rest === 'object' ? rest : ([] as readonly JsonSchema[]);
  });
}

type Choices = { $ref?: string } & Partial<
  Record<'anyOf' | 'oneOf' | 'allOf', readonly JsonSchema[]>
>;

/** The kinds of value that a JSON Schema takes, except null. `above` are the references that led here. */
export function toJsonBranches(
  json: JsonSchema | boolean,
  root: JsonSchema,
  above: string[] = [],
): readonly JsonBranch[] {
  if (typeof json === 'boolean') return json ? [{ properties: {} }] : [];
  const { $ref, anyOf, oneOf, allOf = [], $defs: _parts, ...own } = json as JsonSchema & Choices;
  const inside = (part: JsonSchema): readonly JsonBranch[] => toJsonBranches(part, root, above);
  const sides = [toOwnBranches(own), ...allOf.map(inside)];
  for (const choices of [anyOf, oneOf])
    if (choices !== undefined) sides.push(choices.flatMap(inside));
  if ($ref !== undefined && !above.includes($ref))
    sides.push(toJsonBranches(findReferred(root, $ref), root, [...above, $ref]));
  return sides.reduce((left, right) =>
    left.flatMap((one) => right.flatMap((other) => toBoth(one, other))),
  );
}

function toOwnBranches(json: JsonSchema): readonly JsonBranch[] {
  const { type = 'properties' in json ? 'object' : undefined, prefixItems = [], items } = json;
  if (type === undefined) return 'not' in json ? [] : [{ properties: {}, ...json }];
  const properties = Object.fromEntries((prefixItems as readonly JsonSchema[]).entries());
  const list = { properties, additionalProperties: items as JsonSchema | boolean };
  const types = [type as string | readonly string[]].flat().filter((each) => each !== 'null');
  return types.map((each) => ({
    properties: {},
    ...json,
    ...(each === 'array' && list),
    type: each,
  }));
}

/** Two schemas of one value as one; none where their types exclude each other. */
function toBoth(one: JsonBranch, other: JsonBranch): readonly JsonBranch[] {
  const parts = [one, other].filter(({ type }) => type !== undefined);
  const types = new Set(parts.map(({ type }) => (type === 'integer' ? 'number' : type)));
  return types.size > 1 ? [] : [{ ...other, ...one, ...joinParts(parts, 'allOf') }];
}

/** The parts of several branches as those of one, in all of which a value is, or in any. */
function joinParts(branches: readonly JsonBranch[], keyword: 'allOf' | 'anyOf'): JsonBranch {
  const names = [...new Set(branches.flatMap(({ properties }) => Object.keys(properties)))];
  const isNeeded = keyword === 'allOf' ? 'some' : 'every';
  const required = names.filter((name) =>
    branches[isNeeded]((branch) => branch.required?.includes(name)),
  );
  const rests = findInside(branches);
  const isClosed =
    branches.length > 0 && branches.every((branch) => branch.additionalProperties === false);
  return {
    properties: Object.fromEntries(
      names.map((name) => [name, toOneSchema(keyword, findInside(branches, name))]),
    ),
    ...(required.length > 0 && { required }),
    ...(rests.length > 0 && { additionalProperties: toOneSchema(keyword, rests) }),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** Whether null fits, which no branch tells. `above` are the references that led here. */
export function takesNull(
  json: JsonSchema,
  root: JsonSchema,
  above: readonly string[] = [],
): boolean {
  const { $ref, anyOf, oneOf, allOf = [], type } = json as JsonSchema & Choices;
  const inside = (part: JsonSchema): boolean => takesNull(part, root, above);
  if ($ref !== undefined && !above.includes($ref))
    return takesNull(findReferred(root, $ref), root, [...above, $ref]);
  const choices = toChoices(json);
  if (choices.length > 0) return choices.includes(null);
  if (type !== undefined) return [type].flat().includes('null');
  return [anyOf, oneOf].every((each) => each?.some(inside) ?? true) && allOf.every(inside);
}

/** The objects that a value may be, as one. */
export interface OneObject {
  readonly json: JsonBranch;
  readonly fields: ReadonlyMap<string, MarkedSchema>;
  /** The names of the fields that all of the objects require. */
  readonly required: ReadonlySet<string>;
  /** The schema of the fields that are not named; undefined where nothing is known of them. */
  readonly rest: JsonSchema | undefined;
}

function toOneObject(branches: readonly JsonBranch[]): OneObject {
  const objects = branches.filter(isObject);
  const json = (objects.length === 1 && objects[0]) || joinParts(objects, 'anyOf');
  return {
    json,
    fields: new Map(Object.entries(json.properties)),
    required: new Set(json.required),
    rest: findInside([json])[0],
  };
}

/** A schema that stands there twice counts once: those that contain themselves would double at each level. */
export function toOneSchema(
  keyword: 'allOf' | 'anyOf',
  schemas: readonly JsonSchema[],
): JsonSchema {
  const [first = {}, ...others] = new Map(
    schemas.map((json) => [JSON.stringify(json), json]),
  ).values();
  return others.length === 0 ? first : { [keyword]: [first, ...others] };
}

export function toChoices(json: JsonSchema): readonly unknown[] {
  return 'const' in json ? [json['const']] : ((json['enum'] ?? []) as readonly unknown[]);
}

/** The schema that a reference leads to, `#` or `#/$defs/Tree`. One that leads nowhere admits anything. */
export function findReferred(root: JsonSchema, ref: string): MarkedSchema {
  if (ref === '#') return root;
  return (
    (root['$defs'] as Readonly<Record<string, MarkedSchema>> | undefined)?.[toReferredName(ref)] ??
    {}
  );
}

export function toReferredName(ref: string): string {
  return decodeURIComponent(ref.replace('#/$defs/', ''))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
