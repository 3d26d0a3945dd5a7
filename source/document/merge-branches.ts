import { type ApiSchema, type Bound, type Branch, countNames, isPlain, toPlain } from './branch.ts';
import { isSameJson, toTypeOf } from './fits-branch.ts';

/** Unions that are intersected multiply; beyond this many, what the second says is left out. */
export const MAX_BRANCHES = 64;

/** Any of several: `null` once, and the values of one type in one list. */
export function joinBranches(branches: readonly Branch[]): readonly Branch[] {
  const joined: Branch[] = [];
  for (const branch of branches) {
    const at = joined.findIndex(
      (other) =>
        other.type === branch.type && (branch.type === 'null' || (isList(other) && isList(branch))),
    );
    const other = joined[at];
    if (other === undefined) joined.push(branch);
    else if (branch.type !== 'null')
      joined[at] = toList([...(other.values ?? []), ...(branch.values ?? [])], other.schema);
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

export function toList(values: readonly unknown[], schema: ApiSchema): Branch {
  const different = values.filter(
    (value, index) => values.findIndex((each) => isSameJson(each, value)) === index,
  );
  return {
    ...toPlain(schema, toTypeOf(different[0])),
    schema: { ...schema, json: { enum: different } },
    values: different,
  };
}

export function toBoth(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  if (left.length * right.length > MAX_BRANCHES) return left;
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
    other.values?.filter((value) => one.values?.some((each) => isSameJson(each, value)));
  const values = (shared ?? one.values ?? other.values)?.filter(
    (value) => type !== 'integer' || Number.isInteger(value),
  );
  return {
    type: values === undefined ? type : toTypeOf(values[0]),
    schema: { ...one.schema, json: { allOf: [one.schema.json, other.schema.json] } },
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
  return { ...one, json: { allOf: [one.json, other.json] } };
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
