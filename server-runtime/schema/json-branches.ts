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
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** The schema of fields without a name of their own, where it says one. */
  readonly rest: JsonSchema | undefined;
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
  return json['x-capix-raw'] === true ? branches.map((branch) => ({ ...branch, isRaw: true })) : branches;
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
      fields: new Map(Object.entries(properties)),
      required: new Set(required),
      rest: typeof rest === 'object' ? rest : undefined,
    };
  });
}

function join(left: readonly JsonBranch[], right: readonly JsonBranch[]): readonly JsonBranch[] {
  const [ones, others] = [left.filter(isObject), right.filter(isObject)];
  if (ones.length === 0 && others.length === 0) return [...left, ...right];
  if (ones.length === 0 || others.length === 0) return ones.length === 0 ? others : ones;
  if (ones.length * others.length > MAX_BRANCHES) return [...ones, ...others];
  return ones.flatMap((one) =>
    others.map((other) => ({
      kind: 'object' as const,
      fields: new Map([...one.fields, ...other.fields]),
      required: new Set([...one.required, ...other.required]),
      rest: one.rest ?? other.rest,
    })),
  );
}

export function isObject(branch: JsonBranch): branch is FieldsBranch {
  return branch.kind === 'object';
}

/** `#`, or `#/$defs/Tree`. A reference that leads nowhere admits anything. */
function findReferred(root: JsonSchema, ref: string): JsonSchema {
  const [, ...steps] = ref
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((json, step) => (json as JsonSchema | undefined)?.[step], root);
  return (found ?? {}) as JsonSchema;
}
