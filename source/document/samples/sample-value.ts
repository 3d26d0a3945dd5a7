import {
  type ApiSchema,
  type Branch,
  type ListBranch,
  type NumberBranch,
  type ObjectBranch,
  type TextBranch,
  toTarget,
} from '../branch.ts';
import { toTellingBounds } from '../constraints.ts';
import { fitsBranch, toDifferent } from '../fits-branch.ts';
import { accepts, findNote, toBranches } from '../read-branches.ts';
import { listOf } from '../schema-json.ts';
import { LONGEST, toPatternText } from './sample-pattern.ts';

/** A sample goes this deep into objects and lists. */
const MAX_DEPTH = 6;

/**
 * A value that fits a schema: required fields, defaults, examples, within limits and simple patterns. What no model of
 * ours says, such as a check of the code, may still refuse it.
 */
export function toSampleValue(schema: ApiSchema, above: readonly object[] = []): unknown {
  if (above.length > MAX_DEPTH) return undefined;
  const noted = findNoted(schema) ?? findNoted({ ...schema, json: toTarget(schema) });
  if (noted !== undefined) return noted;
  const branches = toBranches(schema);
  const branch = branches.find(({ type }) => type !== 'null') ?? branches[0];
  return branch && (findNoted(branch.schema) ?? toBranchSample(branch, above));
}

/** The value that the author of a schema wrote as its default or as an example: the first one that fits. */
function findNoted(schema: ApiSchema): unknown {
  const written = [findNote(schema, 'default'), ...listOf(findNote(schema, 'examples'))];
  return written.find((value) => value !== undefined && value !== null && accepts(schema, value));
}

/** `above`: the fields of the objects and the lists that it is in. */
function toBranchSample(branch: Branch, above: readonly object[]): unknown {
  if (branch.values !== undefined) return branch.values[0];
  switch (branch.type) {
    case 'string':
      return toSampleText(branch);
    case 'number':
    case 'integer':
      return toNumberSample(branch);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return toListSample(branch, above);
    case 'object':
      return toObjectSample(branch, above);
    case 'any':
      return undefined;
  }
}

function toObjectSample(branch: ObjectBranch, above: readonly object[]): unknown {
  const { fields, required, counts, rest } = branch;
  // An object that must hold itself has no sample.
  if (above.includes(fields)) return undefined;
  const needed = [...fields].filter(([name]) => required.has(name));
  const spare = [...fields].filter(([name]) => !required.has(name));
  const other = rest === undefined ? [] : toOtherNames(branch).map((name) => [name, rest] as const);
  const missing = Math.max(0, (counts.minProperties ?? 0) - needed.length);
  const all = [...needed, ...[...spare, ...other].slice(0, missing)];
  return Object.fromEntries(
    all.map(([name, field]) => [name, toSampleValue(field, [...above, fields])]),
  );
}

/** Names for the fields of an object that must have some, and declares none of them. */
function toOtherNames({ names, counts }: ObjectBranch): readonly string[] {
  const usual = names === undefined ? 'name' : toSampleValue(names);
  const count = Math.min(counts.minProperties ?? 0, MOST_ITEMS);
  return toVariants(usual, count).map(String);
}

/** A value and others that are near to it, for what must be different. */
function toVariants(value: unknown, count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return value;
    if (typeof value === 'number') return value + index;
    return typeof value === 'string' ? `${value}${index}` : value;
  });
}

function toListSample(branch: ListBranch, above: readonly object[]): unknown {
  const { first, rest, counts, isUnique } = branch;
  const items = first.length > 0 || rest === undefined ? first : [rest];
  const samples = items
    .map((item) => toSampleValue(item, [...above, items]))
    .filter((item) => item !== undefined);
  const missing = Math.min(counts.minItems ?? 0, MOST_ITEMS) - samples.length;
  if (missing <= 0) return samples.slice(0, counts.maxItems);
  const more = rest === undefined ? samples.at(-1) : toSampleValue(rest, [...above, items]);
  if (!isUnique || rest === undefined)
    return [...samples, ...Array.from({ length: missing }, () => more)];
  const listed = toBranches(rest).flatMap(({ values }) => values ?? []);
  const others = [...listed, ...toVariants(more, missing + 1)].filter((each) =>
    accepts(rest, each),
  );
  return toDifferent([...samples, ...others]).slice(0, counts.minItems);
}

/** The most items that a sample of a list has because the list must have some. */
const MOST_ITEMS = 100;

/** The first of several numbers near the bounds that fits. */
function toNumberSample(branch: NumberBranch): number {
  const { min, max } = toTellingBounds(branch);
  const least = min?.value;
  const most = max?.value;
  const ends = [least, most].filter((end) => end !== undefined);
  const between = ((least ?? most ?? 0) + (most ?? least ?? 0)) / 2;
  const near = [
    ...ends,
    ...ends.flatMap((end) => [end + 1, end - 1]),
    between,
    Math.floor(between),
  ];
  const multiples = branch.multiples.flatMap((multiple) =>
    [1, ...near].flatMap((each) => [
      Math.ceil(each / multiple) * multiple,
      Math.floor(each / multiple) * multiple,
    ]),
  );
  const usual = min === undefined ? [1, ...near] : near;
  return [...usual, ...multiples].find((value) => fitsBranch(branch, value, () => true)) ?? 1;
}

/** The usual text of a format, and others where one has several forms. */
const ofFormat: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@example.com'],
  uuid: ['00000000-0000-4000-8000-000000000000'],
  uri: ['https://example.com'],
  hostname: ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  'date-time': ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00'],
  date: ['2026-01-31'],
  time: ['12:00:00'],
  duration: ['P1D'],
  jwt: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmVk'],
};

/** A text that fits its format, its lengths and its patterns, as far as these are simple. */
function toSampleText(branch: TextBranch): string {
  const { formats, patterns, counts } = branch;
  const least = Math.min(counts.minLength ?? 0, LONGEST);
  const written = ofFormat[formats[0] ?? ''] ?? ['text'];
  const [usual = ''] = written;
  const candidates = [
    ...written,
    usual.padEnd(least, 'text'),
    usual.slice(0, counts.maxLength),
    ...toMatches(patterns, least),
  ];
  return candidates.find((text) => fitsBranch(branch, text, () => true)) ?? usual;
}

/** Texts for each pattern, and where there are several, for one after the other: of a beginning and an end. */
function toMatches(patterns: readonly string[], least: number): readonly string[] {
  return [1, 0, least].flatMap((count) =>
    [false, true].flatMap((writesLookaheads) => {
      const texts = patterns.map((pattern) => toPatternText(pattern, { count, writesLookaheads }));
      const whole = texts.join('');
      const filled = texts.join('text'.repeat(Math.ceil(least / 4)));
      return [...texts, whole, filled, whole.padEnd(least, whole)];
    }),
  );
}
