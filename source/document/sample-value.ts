import {
  type ApiSchema,
  type Branch,
  type ListBranch,
  type NumberBranch,
  type ObjectBranch,
  type TextBranch,
  toTarget,
} from './branch.ts';
import { toTellingBounds } from './constraints.ts';
import { findNote, toBranches } from './read-branches.ts';
import { listOf } from './schema-json.ts';

/** A sample goes this deep into objects and lists. */
const MAX_DEPTH = 6;

/**
 * A value that looks like what a schema asks for: required fields, defaults, examples. It does not meet every limit.
 */
export function toSampleValue(schema: ApiSchema, above: readonly object[] = []): unknown {
  if (above.length > MAX_DEPTH) return undefined;
  const noted = findNoted(schema) ?? findNoted({ ...schema, json: toTarget(schema) });
  if (noted !== undefined) return noted;
  const branches = toBranches(schema);
  const branch = branches.find(({ type }) => type !== 'null') ?? branches[0];
  return branch && (findNoted(branch.schema) ?? toBranchSample(branch, above));
}

/** The value that the author of a schema wrote as its default or its example. */
function findNoted(schema: ApiSchema): unknown {
  const [example] = listOf(findNote(schema, 'examples'));
  return findNote(schema, 'default') ?? example;
}

/** `above`: the fields of the objects and the lists that it is in. */
function toBranchSample(branch: Branch, above: readonly object[]): unknown {
  if (branch.values !== undefined) return branch.values[0];
  switch (branch.type) {
    case 'string':
      return toTextSample(branch);
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

function toObjectSample({ fields, required }: ObjectBranch, above: readonly object[]): unknown {
  // An object that must hold itself has no sample.
  if (above.includes(fields)) return undefined;
  const needed = [...fields].filter(([name]) => required.has(name));
  return Object.fromEntries(
    needed.map(([name, field]) => [name, toSampleValue(field, [...above, fields])]),
  );
}

function toListSample({ first, rest }: ListBranch, above: readonly object[]): unknown {
  const items = first.length > 0 || rest === undefined ? first : [rest];
  return items
    .map((item) => toSampleValue(item, [...above, items]))
    .filter((item) => item !== undefined);
}

function toNumberSample(branch: NumberBranch): number {
  const { min } = toTellingBounds(branch);
  if (min === undefined) return 1;
  return min.isExclusive ? min.value + 1 : min.value;
}

function toTextSample({ formats, patterns }: TextBranch): string {
  const sample = samples[formats[0] ?? ''];
  return sample ?? (patterns[0] === DIGITS ? '1' : 'text');
}

/** The pattern of an integer of any size, which is sent as a text. */
const DIGITS = String.raw`^-?\d+$`;

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};
