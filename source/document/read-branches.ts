import { type ApiSchema, type Branch, isPlain, type ObjectSchema, toPlain } from './branch.ts';
import { fitsBranch, isSameJson } from './fits-branch.ts';
import { joinBranches, MAX_BRANCHES, toBoth } from './merge-branches.ts';
import {
  findTarget,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  toTexts,
} from './schema-json.ts';
import { isListOfMediaTypes, toOwn } from './typed-branch.ts';

/** The kinds of value that a schema takes: several of a union, none of what takes nothing. The same for the same. */
export function toBranches(schema: ApiSchema): readonly Branch[] {
  return read(schema, []);
}

/** The branches beside `null`. */
export function toValueBranches(schema: ApiSchema): readonly Branch[] {
  return toBranches(schema).filter(({ type }) => type !== 'null');
}

/** The one kind of value that a schema takes beside `null`; undefined where there are several. */
export function findOnlyBranch(schema: ApiSchema): Branch | undefined {
  const [only, ...others] = toValueBranches(schema);
  return others.length === 0 ? only : undefined;
}

export function isNothing(schema: ApiSchema): boolean {
  return toBranches(schema).length === 0;
}

export function isAnything(schema: ApiSchema): boolean {
  const [only, ...others] = toBranches(schema);
  return only !== undefined && others.length === 0 && isPlain(only);
}

/** Whether a JSON value is of one of the branches of a schema, as far as those have words for what they take. */
export function accepts(schema: ApiSchema, value: unknown): boolean {
  return toBranches(schema).some((branch) => fitsBranch(branch, value, accepts));
}

/** The values that a schema lists; undefined where it takes others. */
export function findValues(schema: ApiSchema): readonly unknown[] | undefined {
  const branches = toBranches(schema);
  const lists = branches.map(({ values }) => values ?? []);
  return lists.length > 0 && lists.every((list) => list.length > 0) ? lists.flat() : undefined;
}

/** The schema of a field of an object; undefined where it has no such field, or takes anything else. */
export function findField(schema: ApiSchema, name: string): ApiSchema | undefined {
  const [object, ...others] = toBranches(schema);
  return others.length === 0 && object?.type === 'object' && !object.isRecord
    ? object.fields.get(name)
    : undefined;
}

/** The fields of an object, and of a record those of its known names. */
export function toFieldEntries({
  fields,
  names,
  rest,
  isRecord,
}: Branch): readonly (readonly [string, ApiSchema])[] {
  const known = names && findValues(names);
  if (!isRecord || fields.size > 0 || known === undefined || rest === undefined) return [...fields];
  return known.map((name) => [String(name), rest]);
}

/** A required field whose values tell the objects of a union apart: its name, and its values in each. */
export function findTag(
  branches: readonly Branch[],
): { readonly name: string; readonly values: readonly (readonly unknown[])[] } | undefined {
  const [first, ...others] = branches;
  if (first?.type !== 'object' || others.length === 0) return undefined;
  for (const name of first.fields.keys()) {
    const lists = branches.map(({ fields, required }) => {
      const field = fields.get(name);
      return field !== undefined && required.has(name) ? (findValues(field) ?? []) : [];
    });
    const all = lists.flat();
    const areApart = all.every(
      (value, at) => all.findIndex((other) => isSameJson(other, value)) === at,
    );
    if (areApart && lists.every((list) => list.length > 0)) return { name, values: lists };
  }
  return undefined;
}

/** A note on a value, which restricts nothing: that of a schema itself, else of a part of it. */
export function findNote(schema: ApiSchema, keyword: string): unknown {
  const own = recordOf(schema.json);
  const parts = [own, ...listOf(own['allOf']).map(recordOf)];
  return parts.find((part) => part[keyword] !== undefined)?.[keyword];
}

/** The schema behind nothing but a reference, by which a schema that contains itself is known again. */
export function toTarget({ json, root }: ApiSchema): unknown {
  for (let target = json, steps = 0; ; steps++) {
    const { $ref: reference, ...own } = recordOf(target);
    const isBare =
      typeof reference === 'string' && Object.keys(own).every((keyword) => notes.has(keyword));
    if (!isBare || steps > MAX_BRANCHES) return target;
    target = findTarget(reference, root);
  }
}

const notes: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  'example',
  'deprecated',
]);

/** The branches by schema, of each document: documents are read part by part. */
const known = new WeakMap<object, WeakMap<object, readonly Branch[]>>();

/** The number of references that were not followed, since they led to themselves. */
let cutCount = 0;

function read(schema: ApiSchema, above: readonly string[]): readonly Branch[] {
  const { json } = schema;
  if (!isSchemaObject(json)) return json === false ? [] : [toPlain(schema, 'any')];
  const root = isSchemaObject(schema.root) ? schema.root : json;
  const all = known.get(root) ?? new WeakMap<object, readonly Branch[]>();
  known.set(root, all);
  const before = all.get(json);
  if (before !== undefined) return before;
  const cutsBefore = cutCount;
  const branches = combine({ ...schema, json }, above);
  if (cutCount === cutsBefore) all.set(json, branches);
  return branches;
}

/** All that holds: what a schema refers to, what it says itself, its parts, its choices. */
function combine(schema: ObjectSchema, above: readonly string[]): readonly Branch[] {
  const { json } = schema;
  const { $ref: reference, allOf, anyOf, oneOf, not } = json;
  if (isEverything(not)) return [];
  const inside = (part: unknown): readonly Branch[] => read({ ...schema, json: part }, above);
  const sides = [toOwn(schema), ...listOf(allOf).map(inside)];
  for (const choices of [anyOf, oneOf])
    if (Array.isArray(choices) && !isListOfMediaTypes(json, choices))
      sides.push(joinBranches(choices.flatMap(inside)));
  if (typeof reference === 'string') sides.unshift(readTarget(reference, schema, above));
  const [checks, others] = [toTexts(json['x-capix-checks']), toUnsaid(json)];
  const all = sides.reduce(toBoth).map((branch) =>
    checks.length === 0 && others === undefined
      ? branch
      : {
          ...branch,
          checks: [...branch.checks, ...checks],
          others: { ...branch.others, ...others },
        },
  );
  const fitting = all.flatMap((branch) => {
    if (branch.values === undefined) return [branch];
    const values = branch.values.filter((value) =>
      fitsBranch({ ...branch, values: undefined }, value, accepts),
    );
    return values.length === 0
      ? []
      : [values.length === branch.values.length ? branch : { ...branch, values }];
  });
  const mayBeNull =
    json['nullable'] === true &&
    json['type'] === undefined &&
    !fitting.some(({ type }) => type === 'any');
  return mayBeNull ? joinBranches([...fitting, toPlain(schema, 'null')]) : fitting;
}

function readTarget(
  reference: string,
  schema: ApiSchema,
  above: readonly string[],
): readonly Branch[] {
  const target = findTarget(reference, schema.root);
  if (above.includes(reference)) {
    cutCount += 1;
    return [toPlain(schema, 'any')];
  }
  if (target === undefined) return [{ ...toPlain(schema, 'any'), others: { $ref: reference } }];
  const name = toName(reference);
  const branches = read({ ...schema, json: target }, [...above, reference]);
  return name === undefined ? branches : branches.map((branch) => ({ ...branch, name }));
}

/** zod names a schema that contains itself `__schema0` where its author did not. */
function toName(reference: string): string | undefined {
  if (reference === '#') return 'itself';
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return /^__schema\d+$/.test(name) ? undefined : name;
}

/** Keywords that restrict values in ways of which the model has no word. */
const unsaidKeywords =
  `not if then else contains minContains maxContains dependentRequired dependentSchemas dependencies patternProperties
  unevaluatedProperties unevaluatedItems $dynamicRef $recursiveRef`.split(/\s+/);

function toUnsaid(json: SchemaJson): SchemaJson | undefined {
  const unsaid = unsaidKeywords.filter(
    (keyword) => json[keyword] !== undefined && !(keyword === 'not' && json[keyword] === false),
  );
  if (unsaid.length === 0) return undefined;
  const others = unsaid.includes('patternProperties') ? ['additionalProperties'] : [];
  return Object.fromEntries([...unsaid, ...others].map((keyword) => [keyword, json[keyword]]));
}

function isEverything(json: unknown): boolean {
  return json === true || (isSchemaObject(json) && Object.keys(json).length === 0);
}
