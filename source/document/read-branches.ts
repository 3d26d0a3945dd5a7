import { onceFor } from '../values/once.ts';
import {
  type ApiSchema,
  type Branch,
  isPlain,
  type ObjectBranch,
  type ObjectSchema,
  toPlain,
  toTarget,
} from './branch.ts';
import { fitsBranch, toDifferent } from './fits-branch.ts';
import { joinBranches, toBoth, toBothRestrictions } from './merge-branches.ts';
import {
  findTarget,
  isOpenApi30,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  toTexts,
} from './schema-json.ts';
import {
  findAdditional,
  findOtherItems,
  isListOfMediaTypes,
  isNullable,
  toKeywordBranches,
} from './typed-branch.ts';

/**
 * The kinds of value that a schema takes: several for a union, and none where no value fits. Gives the same list for
 * the same schema.
 */
export function toBranches(schema: ApiSchema): readonly Branch[] {
  const { json } = schema;
  if (!isSchemaObject(json)) return json === false ? [] : [toPlain(schema, 'any')];
  const all = findKnown(isSchemaObject(schema.root) ? schema.root : json);
  const branches = all.get(json) ?? read(schema, { all, above: [], cut: new Map() }).branches;
  all.set(json, branches);
  return branches;
}

/** The branches beside `null`. */
export function toValueBranches(schema: ApiSchema): readonly Branch[] {
  return toBranches(schema).filter(({ type }) => type !== 'null');
}

/** The one object that a schema takes beside `null`; undefined where there are several, or other values. */
export function findOnlyObject(schema: ApiSchema): ObjectBranch | undefined {
  const only = findOnlyBranch(schema);
  return only?.type === 'object' ? only : undefined;
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
}: ObjectBranch): readonly (readonly [string, ApiSchema])[] {
  const known = names && findValues(names);
  if (!isRecord || fields.size > 0 || known === undefined || rest === undefined) return [...fields];
  return known.map((name) => [String(name), rest]);
}

/** A required field whose values tell the objects of a union apart: its name, and its values in each. */
export function findTag(
  branches: readonly Branch[],
): { readonly name: string; readonly values: readonly (readonly unknown[])[] } | undefined {
  const objects = branches.filter((branch) => branch.type === 'object');
  const [first, ...others] = objects;
  if (first === undefined || others.length === 0 || objects.length < branches.length)
    return undefined;
  for (const name of first.fields.keys()) {
    const lists = objects.map(({ fields, required }) => {
      const field = fields.get(name);
      return field !== undefined && required.has(name) ? (findValues(field) ?? []) : [];
    });
    const all = lists.flat();
    const areApart = toDifferent(all).length === all.length;
    if (areApart && lists.every((list) => list.length > 0)) return { name, values: lists };
  }
  return undefined;
}

/** Whether a value must fit one of its choices alone (`oneOf`), not several; also where a part of it asks for that. */
export function isExclusive(schema: ApiSchema): boolean {
  const open: unknown[] = [schema.json];
  // A part may contain the whole.
  const met = new Set(open);
  for (const json of open) {
    const { oneOf, allOf } = recordOf(toTarget({ ...schema, json }));
    if (Array.isArray(oneOf)) return true;
    for (const part of listOf(allOf)) {
      if (!met.has(part)) open.push(part);
      met.add(part);
    }
  }
  return false;
}

/** A note on a value, which restricts nothing: that of a schema itself, else of a part of it. */
export function findNote(schema: ApiSchema, keyword: string): unknown {
  const own = recordOf(schema.json);
  const parts = [own, ...listOf(own['allOf']).map(recordOf)];
  return parts.find((part) => part[keyword] !== undefined)?.[keyword];
}

/** By the schema, or by the reference that leads to it. */
type BranchMap = Map<object | string, readonly Branch[]>;

/** The branches by schema, of each document: documents are read part by part. */
const findKnown = onceFor((_document: object): BranchMap => new Map());

/** One reading of a schema with all that it refers to. */
interface Reading {
  readonly all: BranchMap;
  /** The references that are being followed. */
  readonly above: readonly string[];
  /** Schemas that refer to one that is being read: their branches are those of this reading only. */
  readonly cut: BranchMap;
}

interface ReadBranches {
  readonly branches: readonly Branch[];
  /** Whether a reference was not followed, since it led to what is being read. */
  readonly isCut: boolean;
}

function read(schema: ApiSchema, reading: Reading): ReadBranches {
  const { json } = schema;
  if (!isSchemaObject(json))
    return { branches: json === false ? [] : [toPlain(schema, 'any')], isCut: false };
  const before = reading.all.get(json);
  if (before !== undefined) return { branches: before, isCut: false };
  const cut = reading.cut.get(json);
  if (cut !== undefined) return { branches: cut, isCut: true };
  const found = combine({ ...schema, json }, reading);
  (found.isCut ? reading.cut : reading.all).set(json, found.branches);
  return found;
}

/**
 * Intersects all that a schema says: the target of its reference, its own keywords, its parts (`allOf`) and its choices
 * (`anyOf`, `oneOf`).
 */
function combine(schema: ObjectSchema, reading: Reading): ReadBranches {
  const { json } = schema;
  const { $ref: reference, allOf, anyOf, oneOf, not } = json;
  if (typeof reference === 'string' && isOpenApi30(schema.root))
    return readTarget(reference, schema, reading);
  if (isEverything(not)) return { branches: [], isCut: false };
  let isCut = false;
  const toBranchesOf = (found: ReadBranches): readonly Branch[] => {
    isCut ||= found.isCut;
    return found.branches;
  };
  const inside = (part: unknown): readonly Branch[] =>
    toBranchesOf(read({ ...schema, json: part }, reading));
  const sides = [toKeywordBranches(schema), ...listOf(allOf).map(inside)];
  for (const choices of [anyOf, oneOf])
    if (Array.isArray(choices) && choices.length > 0 && !isListOfMediaTypes(json, choices))
      sides.push(joinBranches(choices.flatMap(inside)));
  if (typeof reference === 'string')
    sides.unshift(toBranchesOf(readTarget(reference, schema, reading)));
  const all = withUnsaid(sides.reduce(toBoth), json);
  const fitting = all.flatMap((branch) => {
    if (branch.values === undefined) return [branch];
    const values = branch.values.filter((value) =>
      fitsBranch({ ...branch, values: undefined }, value, accepts),
    );
    return values.length === 0
      ? []
      : [
          values.length === branch.values.length
            ? branch
            : { ...branch, component: undefined, union: undefined, values },
        ];
  });
  return { branches: withNull(fitting, schema), isCut };
}

/**
 * Adds null where the schema has `nullable` of OpenAPI 3.0. By the letter, values or parts beside it may exclude null,
 * but generators that write `nullable` mean that null is taken.
 */
function withNull(branches: readonly Branch[], schema: ObjectSchema): readonly Branch[] {
  const isListed = schema.json['enum'] !== undefined && !isOpenApi30(schema.root);
  if (!isNullable(schema) || isListed) return branches;
  const hasNull = branches.some(({ type }) => type === 'any' || type === 'null');
  return hasNull ? branches : joinBranches([...branches, toPlain(schema, 'null')]);
}

/**
 * Adds the restrictions for which the model has no property. Nobody knows what an empty list of choices takes, so its
 * branches are partial.
 */
function withUnsaid(branches: readonly Branch[], json: SchemaJson): readonly Branch[] {
  const checks = toTexts(json['x-capix-checks']);
  const others = toUnsaid(json);
  const isPartial = [json['anyOf'], json['oneOf']].some(isEmptyList);
  if (checks.length === 0 && others === undefined && !isPartial) return branches;
  return branches.map((branch) => ({
    ...branch,
    component: undefined,
    union: undefined,
    parts: branch.parts ?? [branch],
    checks: [...branch.checks, ...checks],
    isPartial: isPartial || branch.isPartial === true,
    others: toBothRestrictions(branch.others, others ?? {}),
  }));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function readTarget(reference: string, schema: ApiSchema, reading: Reading): ReadBranches {
  const target = findTarget(reference, schema.root);
  if (reading.above.includes(reference)) return { branches: [toPlain(schema, 'any')], isCut: true };
  if (target === undefined) {
    const unread = { ...toPlain(schema, 'any'), others: { $ref: reference } };
    return { branches: [unread], isCut: false };
  }
  const above = [...reading.above, reference];
  const before = reading.all.get(reference);
  if (before !== undefined) return { branches: before, isCut: false };
  const found = read({ ...schema, json: target }, { ...reading, above });
  const branches = toNamed(found.branches, { json: { $ref: reference }, root: schema.root });
  if (!found.isCut) reading.all.set(reference, branches);
  return { branches, isCut: found.isCut };
}

/** The branches of a component with its name. Those of a union keep the names that distinguish them. */
function toNamed(branches: readonly Branch[], reference: ApiSchema): readonly Branch[] {
  const name = toRefName(String(recordOf(reference.json)['$ref']));
  const [only] = branches;
  if (branches.length === 1 && only !== undefined)
    return [{ ...only, name: name ?? only.name, component: reference }];
  return branches.map((branch) => ({ ...branch, name: branch.name ?? name, union: reference }));
}

/** zod names a schema that contains itself `__schema0` where its author did not. */
export function toRefName(reference: string): string | undefined {
  if (reference === '#') return 'itself';
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return /^__schema\d+$/.test(name) ? undefined : name;
}

/** Keywords that restrict values in ways of which the model has no word. */
const wordlessKeywords =
  `not if then else contains minContains maxContains dependentRequired dependentSchemas dependencies patternProperties
  unevaluatedProperties unevaluatedItems contentSchema $dynamicRef $recursiveRef`.split(/\s+/);

function toUnsaid(json: SchemaJson): SchemaJson | undefined {
  const unsaid = wordlessKeywords.filter(
    (keyword) =>
      json[keyword] !== undefined &&
      !(keyword === 'not' && json[keyword] === false) &&
      !(keyword === 'unevaluatedProperties' && json[keyword] === findAdditional(json)) &&
      !(keyword === 'unevaluatedItems' && json[keyword] === findOtherItems(json)),
  );
  if (unsaid.length === 0) return undefined;
  const others = unsaid.includes('patternProperties') ? ['additionalProperties'] : [];
  return Object.fromEntries([...unsaid, ...others].map((keyword) => [keyword, json[keyword]]));
}

function isEverything(json: unknown): boolean {
  return json === true || (isSchemaObject(json) && Object.keys(json).length === 0);
}
