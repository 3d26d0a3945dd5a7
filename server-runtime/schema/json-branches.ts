import { marksOf } from './marks.ts';
import type { JsonSchema } from './to-json-schema.ts';

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
