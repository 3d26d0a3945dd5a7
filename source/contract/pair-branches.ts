import { type Branch, isFile } from '../document/branch.ts';
import { findValues } from '../document/read-branches.ts';

export function toKindName(branch: Branch): string {
  if (branch.type === 'any') return branch.kind ?? 'any';
  return isFile(branch) ? 'file' : branch.type;
}

/** The fields of one value, by which the objects of a union are told apart: `type="card"`. */
export function toTag({ type, isRecord, fields }: Branch): string {
  if (type !== 'object' || isRecord) return '';
  const tags = [...fields].flatMap(([name, field]) => {
    const [value, ...others] = findValues(field) ?? [];
    return value === undefined || others.length > 0 ? [] : [`${name}=${JSON.stringify(value)}`];
  });
  return tags.join(' ');
}

export interface BranchPairs {
  readonly pairs: readonly (readonly [old: Branch, now: Branch])[];
  /** Branches with values that only one of the two sides admits. */
  readonly lost: readonly Branch[];
  readonly gained: readonly Branch[];
}

/** Whether every value of the second branch is one of the first, too. */
export type Admits = (wide: Branch, narrow: Branch) => boolean;

/** Which branch of a schema has become which. */
export function pairBranches(
  olds: readonly Branch[],
  news: readonly Branch[],
  admits: Admits,
): BranchPairs {
  // The only object of each side has become the other one, whatever its values.
  const isOnlyObject = [olds, news].every(
    (branches) => branches.filter(({ type }) => type === 'object').length === 1,
  );
  const toKey = (branch: Branch): string => {
    if (branch.type === 'integer') return 'number';
    return isOnlyObject && branch.type === 'object'
      ? 'object'
      : `${toKindName(branch)} ${toTag(branch)}`.trimEnd();
  };
  const ofKey = (branches: readonly Branch[], key: string) =>
    branches.filter((each) => toKey(each) === key);
  const all = [...new Set([...olds, ...news].map(toKey))].map((key) =>
    pairAlike(ofKey(olds, key), ofKey(news, key), admits),
  );
  const isAnything = (branch: Branch): boolean => toKindName(branch) === 'any';
  return {
    pairs: all.flatMap(({ pairs }) => pairs),
    lost: news.some(isAnything) ? [] : all.flatMap(({ lost }) => lost),
    gained: olds.some(isAnything) ? [] : all.flatMap(({ gained }) => gained),
  };
}

function pairAlike(olds: readonly Branch[], news: readonly Branch[], admits: Admits): BranchPairs {
  if (olds.length === 0 || news.length === 0) return { pairs: [], lost: olds, gained: news };
  if (olds.length === 1 && news.length === 1) return toPairs(olds, news);
  // Of several branches that only their limits tell apart, those that the other side covers are not a difference.
  const lost = olds.filter((old) => !news.some((now) => admits(now, old)));
  const gained = news.filter((now) => !olds.some((old) => admits(old, now)));
  return lost.length === 1 && gained.length === 1
    ? toPairs(lost, gained)
    : { pairs: [], lost, gained };
}

/** Numbers that have become integers are lost, whatever their limits; and the other way round. */
function toPairs(olds: readonly Branch[], news: readonly Branch[]): BranchPairs {
  const isInteger = ({ type }: Branch): boolean => type === 'integer';
  const isAnyNumber = ({ type, values }: Branch): boolean =>
    type === 'number' && values === undefined;
  return {
    pairs: olds.flatMap((old) => news.map((now) => [old, now] as const)),
    lost: news.every(isInteger) ? olds.filter(isAnyNumber) : [],
    gained: olds.every(isInteger) ? news.filter(isAnyNumber) : [],
  };
}
