import { groupBy, onceFor, remember } from '../values/once.ts';
import {
  type AnyBranch,
  type ApiSchema,
  anything,
  type Bound,
  type Branch,
  type Counts,
  countNames,
  isNumber,
  isPlain,
  type ListBranch,
  type NumberBranch,
  type ObjectBranch,
  type TextBranch,
  toPlain,
  toTarget,
} from './branch.ts';
import { hasValue, isSameJson, toDifferent, toTypeOf } from './fits-branch.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';

/** The intersection of two unions has a branch for each pair. Where these are more, the second union is left out. */
const MAX_PRODUCT = 4_096;

/**
 * Joins the branches of alternatives: `null` once, and the listed values of one type in one list, at the place of the
 * first.
 */
export function joinBranches(branches: readonly Branch[]): readonly Branch[] {
  const byType = new Map(groupBy(branches.filter(isJoined), ({ type }) => type));
  return branches.flatMap((branch) => {
    if (!isJoined(branch)) return [branch];
    const alike = byType.get(branch.type) ?? [];
    byType.delete(branch.type);
    return alike.length <= 1 || branch.type === 'null' ? alike.slice(0, 1) : [toJoined(alike)];
  });
}

function isJoined(branch: Branch): boolean {
  return branch.type === 'null' || isList(branch);
}

function toJoined(lists: readonly Branch[]): Branch {
  const values = lists.flatMap((branch) => branch.values ?? []);
  return toList(values, lists[0]?.schema ?? anything);
}

function isList({ values, name, checks, others }: Branch): boolean {
  return (
    values !== undefined &&
    name === undefined &&
    checks.length === 0 &&
    Object.keys(others).length === 0
  );
}

/** The values of one type, which are listed. */
export function toList(values: readonly unknown[], schema: ApiSchema): Branch {
  const different = toDifferent(values);
  return {
    ...toPlain(schema, toTypeOf(different[0])),
    schema: { ...schema, json: { enum: different } },
    values: different,
  };
}

/**
 * Gives the branches for values that fit both sides. Of two long unions, it leaves out the second,
 * and marks the first.
 */
export function toBoth(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  const isLong = left.length > 1 && right.length > 1 && left.length * right.length > MAX_PRODUCT;
  if (isLong) return left.map((branch) => ({ ...branch, component: undefined, isPartial: true }));
  return left.flatMap((one) => right.flatMap((other) => merge(one, other) ?? []));
}

/** Both at once; undefined where no value is of both types. */
function merge(one: Branch, other: Branch): Branch | undefined {
  if (one === other || isPlain(other)) return one;
  if (isPlain(one)) return other;
  const typed = toBothTyped(one, other);
  if (typed === undefined) return undefined;
  const values = toBothValues(one, other, typed.type === 'integer');
  if (values?.length === 0) return undefined;
  return {
    ...(values === undefined ? typed : toListed(typed)),
    schema: toBothSchemas(one.schema, other.schema) ?? one.schema,
    name: toBothNames(one, other),
    component: undefined,
    union: undefined,
    // A schema may name one part many times, and its parts do so again: each counts once.
    parts: joinLists(one.parts ?? [one], other.parts ?? [other]),
    values,
    checks: joinLists(one.checks, other.checks),
    isPartial: one.isPartial === true || other.isPartial === true,
    others: toBothRestrictions(one.others, other.others),
  };
}

function toBothValues(
  { values }: Branch,
  { values: others }: Branch,
  areIntegers: boolean,
): Branch['values'] {
  const shared =
    values === undefined || others === undefined
      ? (values ?? others)
      : others.filter((value) => hasValue(values, value));
  return areIntegers ? shared?.filter(Number.isInteger) : shared;
}

/** Listed integers are numbers, since the list shows that they are whole. */
function toListed(branch: Branch): Branch {
  return branch.type === 'integer' ? { ...branch, type: 'number' } : branch;
}

/** The parts of one type that both say; undefined where their types share no value. */
function toBothTyped(one: Branch, other: Branch): Branch | undefined {
  if (other.type === 'any') return withKind(one, other);
  if (one.type === 'any') return withKind(other, one);
  if (one.type === 'string' && other.type === 'string') return toBothTexts(one, other);
  if (isNumber(one) && isNumber(other)) return toBothNumbers(one, other);
  if (one.type === 'array' && other.type === 'array') return toBothLists(one, other);
  if (one.type === 'object' && other.type === 'object') return toBothObjects(one, other);
  return other.type === one.type ? one : undefined;
}

/** A schema beside the type may say what stands for the value in the program. */
function withKind(branch: Branch, any: AnyBranch): Branch {
  const takesKind = branch.type === 'any' || branch.type === 'string';
  return takesKind ? { ...branch, kind: branch.kind ?? any.kind } : branch;
}

function toBothTexts(one: TextBranch, other: TextBranch): TextBranch {
  return {
    ...one,
    kind: one.kind ?? other.kind,
    counts: toBothCounts(one.counts, other.counts),
    patterns: joinLists(one.patterns, other.patterns),
    formats: joinLists(one.formats, other.formats),
    encoding: one.encoding ?? other.encoding,
    mediaTypes: joinLists(one.mediaTypes, other.mediaTypes),
  };
}

function toBothNumbers(one: NumberBranch, other: NumberBranch): NumberBranch {
  return {
    ...one,
    type: one.type === other.type ? one.type : 'integer',
    min: toTighter(one.min, other.min, 1),
    max: toTighter(one.max, other.max, -1),
    multiples: joinLists(one.multiples, other.multiples),
    formats: joinLists(one.formats, other.formats),
  };
}

function toBothLists(one: ListBranch, other: ListBranch): ListBranch {
  const length = Math.max(one.first.length, other.first.length);
  const toPosition = (index: number): ApiSchema =>
    toBothSchemas(one.first[index] ?? one.rest, other.first[index] ?? other.rest) ?? {
      ...one.schema,
      json: {},
    };
  return {
    ...one,
    counts: toBothCounts(one.counts, other.counts),
    isUnique: one.isUnique || other.isUnique,
    first: Array.from({ length }, (_, index) => toPosition(index)),
    rest: toBothSchemas(one.rest, other.rest),
  };
}

function toBothObjects(one: ObjectBranch, other: ObjectBranch): ObjectBranch {
  return {
    ...one,
    counts: toBothCounts(one.counts, other.counts),
    fields: toBothFields(one, other),
    required: new Set([...one.required, ...other.required]),
    rest: toBothSchemas(one.rest, other.rest),
    isOpen: one.isOpen && other.isOpen,
    names: toBothSchemas(one.names, other.names),
    isRecord: false,
  };
}

function toBothNames(one: Branch, other: Branch): string | undefined {
  if (one.name === undefined && other.name === undefined) return undefined;
  if (one.type === 'any' || other.type === 'any' || one.name === other.name)
    return one.name ?? other.name;
  return `${one.name ?? one.type} & ${other.name ?? other.type}`;
}

function toBothCounts(one: Counts, other: Counts): Counts {
  const both = countNames.flatMap((name) => {
    const a = one[name];
    const b = other[name];
    const tighter = name.startsWith('min') ? Math.max : Math.min;
    const count = a === undefined || b === undefined ? (a ?? b) : tighter(a, b);
    return count === undefined ? [] : [[name, count] as const];
  });
  return Object.fromEntries(both);
}

export function toTighter(
  one: Bound | undefined,
  other: Bound | undefined,
  sign: 1 | -1,
): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.value === other.value) return one.isExclusive ? one : other;
  return one.value * sign > other.value * sign ? one : other;
}

function joinLists<Item>(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  return [...new Set([...one, ...other])];
}

function toBothSchemas(
  one: ApiSchema | undefined,
  other: ApiSchema | undefined,
): ApiSchema | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, json: toIntersection(one, other) };
}

/** The intersections of a document, by the numbers of their parts. */
interface Intersections {
  readonly numbers: Map<unknown, number>;
  readonly byParts: Map<string, SchemaJson>;
  /** The parts of each intersection, as they were written. */
  readonly parts: Map<unknown, readonly unknown[]>;
}

const findIntersections = onceFor(
  (_root: object): Intersections => ({
    numbers: new Map(),
    byParts: new Map(),
    parts: new Map(),
  }),
);

/**
 * Gives a schema for values that fit both: the same schema for the same parts, however often each was met, so that an
 * intersection that contains itself is known again and ends.
 */
function toIntersection(one: ApiSchema, other: ApiSchema): unknown {
  if (one.json === true || one.json === other.json) return other.json;
  if (other.json === true) return one.json;
  if (!isSchemaObject(one.json) || !isSchemaObject(other.json) || !isSchemaObject(one.root))
    return { allOf: [one.json, other.json] };
  const known = findIntersections(one.root);
  const all = [one.json, other.json].flatMap((json) => known.parts.get(json) ?? [json]);
  const byTarget = new Map(all.map((json) => [toTarget({ ...one, json }), json]));
  const written = [...byTarget.values()];
  if (written.length === 1) return written[0];
  const toNumber = (target: unknown): number =>
    remember(known.numbers, target, () => known.numbers.size);
  const numbers = [...byTarget.keys()].map(toNumber);
  const key = numbers.toSorted((a, b) => a - b).join();
  const both = remember(known.byParts, key, () => ({ allOf: written }));
  known.parts.set(both, written);
  return both;
}

/**
 * The fields of both objects. Where only one of them names a field, the schema that the other one has for all others
 * counts.
 */
function toBothFields(one: ObjectBranch, other: ObjectBranch): ObjectBranch['fields'] {
  const names = new Set([...one.fields.keys(), ...other.fields.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      toBothSchemas(one.fields.get(name) ?? one.rest, other.fields.get(name) ?? other.rest) ?? {
        ...one.schema,
        json: {},
      },
    ]),
  );
}

/** Joins two sets of restrictions. Where both have the same keyword, both stay, as parts of an `allOf`. */
export function toBothRestrictions(one: SchemaJson, other: SchemaJson): SchemaJson {
  const isShared = Object.keys(one).some(
    (word) => other[word] !== undefined && !isSameJson(one[word], other[word]),
  );
  if (!isShared) return { ...one, ...other };
  const toParts = (all: SchemaJson): readonly unknown[] =>
    Array.isArray(all['allOf']) ? all['allOf'].filter(isSchemaObject) : [all];
  return { allOf: [...toParts(one), ...toParts(other)] };
}
