import { type Branch, isFile } from '../../document/branch.ts';
import { findValues } from '../../document/read-branches.ts';

export function toKindName(branch: Branch): string {
  if (branch.type === 'any') return branch.kind ?? 'any';
  return isFile(branch) ? 'file' : branch.type;
}

/** The fields with one value that distinguish the objects of a union: `type="card"`. */
export function toTag(branch: Branch): string {
  return toTags(branch).join(' ');
}

function toTags(branch: Branch): readonly string[] {
  if (branch.type !== 'object' || branch.isRecord) return [];
  return [...branch.fields].flatMap(([name, field]) => {
    const [value, ...others] = findValues(field) ?? [];
    return value === undefined || others.length > 0 ? [] : [`${name}=${JSON.stringify(value)}`];
  });
}

export interface BranchPairs {
  readonly pairs: readonly (readonly [old: Branch, now: Branch])[];
  /** Branches with values that only one of the two sides admits. */
  readonly lost: readonly Branch[];
  readonly gained: readonly Branch[];
}

/** Whether every value of the second branch is one of the first, too. */
export type Admits = (wide: Branch, narrow: Branch) => boolean;

/** Pairs each branch of the older schema with the one that it has become. */
export function pairBranches(
  older: readonly Branch[],
  newer: readonly Branch[],
  admits: Admits,
): BranchPairs {
  // The only object of each side has become the other one, whatever its values.
  const isOnlyObject = [older, newer].every(
    (branches) => branches.filter(({ type }) => type === 'object').length === 1,
  );
  const toKey = (branch: Branch): string => {
    if (branch.type === 'integer') return 'number';
    return isOnlyObject && branch.type === 'object'
      ? 'object'
      : [toKindName(branch), ...toTags(branch).toSorted()].join(' ');
  };
  const ofKey = (branches: readonly Branch[], key: string) =>
    branches.filter((each) => toKey(each) === key);
  const all = [...new Set([...older, ...newer].map(toKey))].map((key) =>
    pairAlike(ofKey(older, key), ofKey(newer, key), admits),
  );
  const isAnything = (branch: Branch): boolean => toKindName(branch) === 'any';
  return {
    pairs: all.flatMap(({ pairs }) => pairs),
    lost: newer.some(isAnything) ? [] : all.flatMap(({ lost }) => lost),
    gained: older.some(isAnything) ? [] : all.flatMap(({ gained }) => gained),
  };
}

function pairAlike(
  older: readonly Branch[],
  newer: readonly Branch[],
  admits: Admits,
): BranchPairs {
  if (older.length === 0 || newer.length === 0) return { pairs: [], lost: older, gained: newer };
  if (older.length === 1 && newer.length === 1) return toPairs(older, newer);
  const named = pairNames(older, newer);
  const pairs = [...named, ...pairLikes(without(older, named), without(newer, named))];
  const paired = new Set<Branch>(pairs.flat());
  // Of several branches that differ only in their limits, those that the other side covers are no difference.
  const lost = older.filter((old) => !paired.has(old) && !newer.some((now) => admits(now, old)));
  const gained = newer.filter((now) => !paired.has(now) && !older.some((old) => admits(old, now)));
  if (lost.length !== 1 || gained.length !== 1) return { pairs, lost, gained };
  const last = toPairs(lost, gained);
  return { ...last, pairs: [...pairs, ...last.pairs] };
}

/** Branches of one name have become each other, whatever has changed in them. */
function pairNames(older: readonly Branch[], newer: readonly Branch[]): BranchPairs['pairs'] {
  const findOnly = (branches: readonly Branch[], name: string): Branch | undefined => {
    const [only, ...others] = branches.filter((branch) => branch.name === name);
    return others.length === 0 ? only : undefined;
  };
  return older.flatMap((old) => {
    if (old.name === undefined || findOnly(older, old.name) === undefined) return [];
    const now = findOnly(newer, old.name);
    return now === undefined ? [] : [[old, now] as const];
  });
}

function without(branches: readonly Branch[], pairs: BranchPairs['pairs']): readonly Branch[] {
  const paired = new Set<Branch>(pairs.flat());
  return branches.filter((branch) => !paired.has(branch));
}

/** More variants of a kind are not distinguished by their fields, which would take too long. */
const MAX_LIKES = 30;

/**
 * Pairs objects that have at least half of their fields in common, the most alike first. Where two are equally alike,
 * neither is paired.
 */
function pairLikes(older: readonly Branch[], newer: readonly Branch[]): BranchPairs['pairs'] {
  const areObjects = [...older, ...newer].every(({ type }) => type === 'object');
  if (!areObjects || older.length > MAX_LIKES || newer.length > MAX_LIKES) return [];
  const likes = older
    .flatMap((old) => newer.map((now) => ({ old, now, likeness: toLikeness(old, now) })))
    .filter(({ likeness }) => likeness >= 0.5)
    .toSorted((a, b) => b.likeness - a.likeness);
  const paired = new Set<Branch>();
  return likes.flatMap(({ old, now, likeness }) => {
    const isOther = (other: (typeof likes)[number]): boolean =>
      (other.old === old) !== (other.now === now) && other.likeness === likeness;
    if (paired.has(old) || paired.has(now) || likes.some(isOther)) return [];
    paired.add(old).add(now);
    return [[old, now] as const];
  });
}

/**
 * The share of fields that two objects have in common, from 0 to 1. Of objects with the same fields, those that require
 * the same ones are more alike.
 */
function toLikeness(old: Branch, now: Branch): number {
  if (old.type !== 'object' || now.type !== 'object') return 0;
  const ofFields = toShare(new Set(old.fields.keys()), new Set(now.fields.keys()));
  return ofFields + toShare(old.required, now.required) / 1000;
}

function toShare(older: ReadonlySet<string>, newer: ReadonlySet<string>): number {
  const names = new Set([...older, ...newer]);
  const shared = [...names].filter((name) => older.has(name) && newer.has(name));
  return names.size === 0 ? 0 : shared.length / names.size;
}

/** Numbers that have become integers are lost, whatever their limits; and the other way round. */
function toPairs(older: readonly Branch[], newer: readonly Branch[]): BranchPairs {
  const isInteger = ({ type }: Branch): boolean => type === 'integer';
  const isAnyNumber = ({ type, values }: Branch): boolean =>
    type === 'number' && values === undefined;
  return {
    pairs: older.flatMap((old) => newer.map((now) => [old, now] as const)),
    lost: newer.every(isInteger) ? older.filter(isAnyNumber) : [],
    gained: older.every(isInteger) ? newer.filter(isAnyNumber) : [],
  };
}
