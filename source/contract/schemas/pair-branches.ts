import type { SchemaBranch } from './schema-branches.ts';

export interface BranchPairs {
  /** Branches that have become one another. */
  readonly pairs: readonly (readonly [old: SchemaBranch, now: SchemaBranch])[];
  /** Branches with values that only one of the two sides admits. */
  readonly lost: readonly SchemaBranch[];
  readonly gained: readonly SchemaBranch[];
}

/** Whether every value of the second branch is one of the first, too. */
type Admits = (wide: SchemaBranch, narrow: SchemaBranch) => boolean;

/** Which branch of a schema has become which. */
export function pairBranches(
  olds: readonly SchemaBranch[],
  news: readonly SchemaBranch[],
  admits: Admits,
): BranchPairs {
  const [old, now] = [olds[0], news[0]];
  if (olds.length * news.length === 1 && old !== undefined && now?.id === old.id)
    return { pairs: [[old, now]], lost: [], gained: [] };
  // The only object of each side has become the other one, whatever its literals.
  const isOnlyObject = [olds, news].every((branches) => branches.filter(isObject).length === 1);
  const toKey = (branch: SchemaBranch): string =>
    isNumber(branch) ? 'number' : isOnlyObject && isObject(branch) ? 'object' : branch.id;
  const ofKey = (branches: readonly SchemaBranch[], key: string) => branches.filter((each) => toKey(each) === key);
  const all = [...new Set([...olds, ...news].map(toKey))].map((key) =>
    pairAlike(ofKey(olds, key), ofKey(news, key), admits),
  );
  return {
    pairs: all.flatMap(({ pairs }) => pairs),
    lost: news.some(isAnything) ? [] : all.flatMap(({ lost }) => lost),
    gained: olds.some(isAnything) ? [] : all.flatMap(({ gained }) => gained),
  };
}

function pairAlike(olds: readonly SchemaBranch[], news: readonly SchemaBranch[], admits: Admits): BranchPairs {
  if (olds.length === 0 || news.length === 0) return { pairs: [], lost: olds, gained: news };
  if (olds.length === 1 && news.length === 1) return toPairs(olds, news);
  // Of several branches that only their limits tell apart, those that the other side covers are not a difference.
  const lost = olds.filter((old) => !news.some((now) => admits(now, old)));
  const gained = news.filter((now) => !olds.some((old) => admits(old, now)));
  if (lost.length === 1 && gained.length === 1) return toPairs(lost, gained);
  const isSplit = (olds.length === 1 || news.length === 1) && lost.length + gained.length > 0;
  const isKept = olds.some((old) => news.some((now) => admits(now, old) && admits(old, now)));
  return isSplit && !isKept ? toPairs(olds, news) : { pairs: [], lost, gained };
}

/** Numbers that have become integers are lost, whatever their limits; and the other way round. */
function toPairs(olds: readonly SchemaBranch[], news: readonly SchemaBranch[]): BranchPairs {
  return {
    pairs: olds.flatMap((old) => news.map((now) => [old, now] as const)),
    lost: news.every(isInteger) ? olds.filter(isWholeNumber) : [],
    gained: olds.every(isInteger) ? news.filter(isWholeNumber) : [],
  };
}

function isNumber({ id }: SchemaBranch): boolean {
  return id === 'number' || id === 'integer';
}

function isInteger({ id }: SchemaBranch): boolean {
  return id === 'integer';
}

/** Not a few literals. */
function isWholeNumber({ shape }: SchemaBranch): boolean {
  return shape.kind === 'number' && !shape.isInteger;
}

function isObject({ id }: SchemaBranch): boolean {
  return /^object\b/.test(id);
}

function isAnything({ id }: SchemaBranch): boolean {
  return id === 'any';
}
