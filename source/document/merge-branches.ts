import {
  type ApiSchema,
  type Bound,
  type Branch,
  countNames,
  isPlain,
  toPlain,
  toTarget,
} from './branch.ts';
import { hasValue, toDifferent, toTypeOf } from './fits-branch.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';

/** Unions that are intersected multiply; beyond this many, what the second says is left out. */
const MAX_PRODUCT = 4_096;

/** Any of several: `null` once, and the values of one type in one list. */
export function joinBranches(branches: readonly Branch[]): readonly Branch[] {
  const joined: Branch[] = [];
  const lists = new Map<string, unknown[]>();
  const places = new Map<string, number>();
  for (const branch of branches) {
    const isNull = branch.type === 'null';
    if (!isNull && !isList(branch)) {
      joined.push(branch);
      continue;
    }
    const values = lists.get(branch.type) ?? [];
    for (const value of branch.values ?? []) values.push(value);
    lists.set(branch.type, values);
    if (places.has(branch.type)) continue;
    places.set(branch.type, joined.length);
    joined.push(branch);
  }
  for (const [type, at] of places) {
    const branch = joined[at];
    const values = lists.get(type) ?? [];
    if (branch !== undefined && type !== 'null' && values.length !== branch.values?.length)
      joined[at] = toList(values, branch.schema);
  }
  return joined;
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

/** Gives the branches for values that fit both sides. Of two long unions, it leaves out the second, and marks the first. */
export function toBoth(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  const isLong = left.length > 1 && right.length > 1 && left.length * right.length > MAX_PRODUCT;
  if (isLong) return left.map((branch) => ({ ...branch, component: undefined, isPartial: true }));
  return left.flatMap((one) => right.flatMap((other) => merge(one, other) ?? []));
}

/** Both at once; undefined where no value is of both types. */
function merge(one: Branch, other: Branch): Branch | undefined {
  if (isPlain(other)) return one;
  if (isPlain(one)) return other;
  const type = toBothTypes(one.type, other.type);
  if (type === undefined) return undefined;
  const shared =
    one.values &&
    other.values?.filter((value) => one.values !== undefined && hasValue(one.values, value));
  const values = (shared ?? one.values ?? other.values)?.filter(
    (value) => type !== 'integer' || Number.isInteger(value),
  );
  return {
    type: values === undefined ? type : toTypeOf(values[0]),
    schema: toBothSchemas(one.schema, other.schema) ?? one.schema,
    name: toBothNames(one, other),
    kind: one.kind ?? other.kind,
    values,
    counts: toBothCounts(one.counts, other.counts),
    min: toTighter(one.min, other.min, 1),
    max: toTighter(one.max, other.max, -1),
    multiples: joinLists(one.multiples, other.multiples),
    patterns: joinLists(one.patterns, other.patterns),
    formats: joinLists(one.formats, other.formats),
    encoding: one.encoding ?? other.encoding,
    mediaTypes: joinLists(one.mediaTypes, other.mediaTypes),
    isUnique: one.isUnique || other.isUnique,
    first: Array.from(
      { length: Math.max(one.first.length, other.first.length) },
      (_, index) =>
        toBothSchemas(one.first[index] ?? one.rest, other.first[index] ?? other.rest) ?? {
          ...one.schema,
          json: {},
        },
    ),
    rest: toBothSchemas(one.rest, other.rest),
    fields: toBothFields(one, other),
    required: new Set([...one.required, ...other.required]),
    names: toBothSchemas(one.names, other.names),
    isRecord: one.type === 'any' ? other.isRecord : other.type === 'any' && one.isRecord,
    checks: [...one.checks, ...other.checks],
    isPartial: one.isPartial === true || other.isPartial === true,
    others: { ...one.others, ...other.others },
  };
}

function toBothTypes(one: string, other: string): string | undefined {
  if (one === other || other === 'any') return one;
  if (one === 'any') return other;
  const areNumbers = [one, other].every((type) => type === 'number' || type === 'integer');
  return areNumbers ? 'integer' : undefined;
}

function toBothNames(one: Branch, other: Branch): string | undefined {
  if (one.name === undefined && other.name === undefined) return undefined;
  if (one.type === 'any' || other.type === 'any' || one.name === other.name)
    return one.name ?? other.name;
  return `${one.name ?? one.type} & ${other.name ?? other.type}`;
}

function toBothCounts(one: Branch['counts'], other: Branch['counts']): Branch['counts'] {
  const both = countNames.flatMap((name) => {
    const [a, b] = [one[name], other[name]];
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

const intersections = new WeakMap<object, Intersections>();

/**
 * Gives a schema for values that fit both: the same schema for the same parts, however often each was met, so that an
 * intersection that contains itself is known again and ends.
 */
function toIntersection(one: ApiSchema, other: ApiSchema): unknown {
  if (one.json === true || one.json === other.json) return other.json;
  if (other.json === true) return one.json;
  if (!isSchemaObject(one.json) || !isSchemaObject(other.json) || !isSchemaObject(one.root))
    return { allOf: [one.json, other.json] };
  const known: Intersections = intersections.get(one.root) ?? {
    numbers: new Map(),
    byParts: new Map(),
    parts: new Map(),
  };
  intersections.set(one.root, known);
  const all = [one.json, other.json].flatMap((json) => known.parts.get(json) ?? [json]);
  const byTarget = new Map(all.map((json) => [toTarget({ ...one, json }), json]));
  const written = [...byTarget.values()];
  if (written.length === 1) return written[0];
  const toNumber = (target: unknown): number => {
    const number = known.numbers.get(target) ?? known.numbers.size;
    known.numbers.set(target, number);
    return number;
  };
  const numbers = [...byTarget.keys()].map(toNumber);
  const key = numbers.toSorted((a, b) => a - b).join();
  const both = known.byParts.get(key) ?? { allOf: written };
  known.byParts.set(key, both);
  known.parts.set(both, written);
  return both;
}

/** A field that only the other one names is one of all others. */
function toBothFields(one: Branch, other: Branch): Branch['fields'] {
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
