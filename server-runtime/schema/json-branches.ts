import { marksOf } from './marks.ts';
import type { JsonSchema } from './to-json-schema.ts';

/** One kind of value that a JSON Schema takes. */
export type JsonBranch = FieldsBranch | OtherBranch;

/** A text, a number, a boolean, a list, or anything. */
export interface OtherBranch {
  readonly kind: 'scalar' | 'list' | 'any';
  readonly json: JsonSchema;
  /** Whether a function of the application gets what was sent, as it was sent. */
  readonly isRaw?: boolean;
}

export interface FieldsBranch {
  readonly kind: 'object';
  readonly json: JsonSchema;
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** The schema of fields without a name of their own, where it says one. */
  readonly rest: JsonSchema | undefined;
  /** Whether it refuses other fields. */
  readonly isClosed: boolean;
  readonly isRaw?: boolean;
}

/** Unions that are intersected multiply; beyond this many they are taken for one another. */
const MAX_BRANCHES = 64;

/**
 * The kinds of value that a JSON Schema takes, but for null: several of a union, those of all parts together of an intersection, none of
 * what takes nothing. `root` is what its references point into.
 */
export function toJsonBranches(json: JsonSchema | boolean, root: JsonSchema): readonly JsonBranch[] {
  return collect(json, { root, above: [] });
}

/** The branches that are objects. */
export function toObjectBranches(json: JsonSchema, root = json): readonly FieldsBranch[] {
  return toJsonBranches(json, root).filter(isObject);
}

interface Place {
  readonly root: JsonSchema;
  /** The references that led here: one that leads to itself says nothing. */
  readonly above: readonly string[];
}

function collect(json: JsonSchema | boolean, place: Place): readonly JsonBranch[] {
  if (typeof json === 'boolean') return json ? [{ kind: 'any', json: {} }] : [];
  const { $ref, anyOf, oneOf, allOf = [] } = json as Words;
  const inside = (part: JsonSchema): readonly JsonBranch[] => collect(part, place);
  const sides = [toOwnBranches(json), ...allOf.map(inside)];
  for (const choices of [anyOf, oneOf]) if (choices !== undefined) sides.push(choices.flatMap(inside));
  if ($ref !== undefined && !place.above.includes($ref))
    sides.push(collect(findReferred(place.root, $ref), { ...place, above: [...place.above, $ref] }));
  const told = sides.filter((side) => side.length === 0 || side.some(({ kind }) => kind !== 'any'));
  const branches = told.length === 0 ? [{ kind: 'any' as const, json }] : told.reduce(join);
  return marksOf(json).isRaw === true ? branches.map((branch) => ({ ...branch, isRaw: true })) : branches;
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
};

/** The branches that a schema has without the schemas that it is made of. */
function toOwnBranches(json: JsonSchema): readonly JsonBranch[] {
  const { type, properties = {}, required = [], additionalProperties: rest } = json as Words;
  if ('not' in json && type === undefined) return [];
  if (type !== 'null' && ('enum' in json || 'const' in json)) return [{ kind: 'scalar', json }];
  const types = typeof type === 'string' ? [type] : (type ?? ['properties' in json ? 'object' : 'any']);
  return types.flatMap((each): JsonBranch | readonly JsonBranch[] => {
    if (each === 'null') return [];
    if (each === 'array') return { kind: 'list', json };
    if (each !== 'object') return { kind: each === 'any' ? 'any' : 'scalar', json: { ...json, type: each } };
    return {
      kind: 'object',
      json,
      fields: new Map(Object.entries(properties)),
      required: new Set(required),
      rest: typeof rest === 'object' ? rest : undefined,
      isClosed: rest === false,
    };
  });
}

function join(left: readonly JsonBranch[], right: readonly JsonBranch[]): readonly JsonBranch[] {
  const [ones, others] = [left.filter(isObject), right.filter(isObject)];
  if (ones.length === 0 && others.length === 0) return [...left, ...right];
  if (ones.length === 0 || others.length === 0) return ones.length === 0 ? others : ones;
  if (ones.length * others.length > MAX_BRANCHES) return [...ones, ...others];
  return ones.flatMap((one) => others.map((other) => toBoth(one, other)));
}

function toBoth(one: FieldsBranch, other: FieldsBranch): FieldsBranch {
  const shared = [...other.fields].map(([name, json]): [string, JsonSchema] => {
    const first = one.fields.get(name);
    return [name, first === undefined ? json : toOneSchema('allOf', [first, json])];
  });
  return {
    kind: 'object',
    json: { ...one.json, ...other.json },
    fields: new Map([...one.fields, ...shared]),
    required: new Set([...one.required, ...other.required]),
    rest: one.rest ?? other.rest,
    isClosed: one.isClosed && other.isClosed,
  };
}

export function isObject(branch: JsonBranch): branch is FieldsBranch {
  return branch.kind === 'object';
}

/** The fields of several objects as those of one: required are those that all of them require. */
export function toOneObject(branches: readonly FieldsBranch[]): FieldsBranch {
  const names = [...new Set(branches.flatMap(({ fields }) => [...fields.keys()]))];
  const schemasOf = (name: string): readonly JsonSchema[] =>
    branches.map(({ fields }) => fields.get(name)).filter((json) => json !== undefined);
  return {
    kind: 'object',
    json: branches.length === 1 && branches[0] !== undefined ? branches[0].json : {},
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
