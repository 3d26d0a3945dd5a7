import { anything, type Branch, type ListBranch } from '../../document/branch.ts';
import { hasValue } from '../../document/fits-branch.ts';
import { accepts, isNothing } from '../../document/read-branches.ts';
import { compareObjects } from './compare-objects.ts';
import { compareRestrictions } from './compare-restrictions.ts';
import {
  type Direction,
  type Finding,
  toFinding,
  toInner,
  toLimitFinding,
  toValueChange,
  unclear,
} from './finding.ts';
import { compareChecks, compareLimits } from './limits.ts';

/** Compares two branches that have become each other, but for the schemas inside of them. */
export function compareBranches(
  old: Branch,
  now: Branch,
  direction: Direction,
): readonly Finding[] {
  const isListed = old.values !== undefined || now.values !== undefined;
  const isPartial = old.isPartial === true || now.isPartial === true;
  const limits = [
    ...(isPartial ? [unclear] : []),
    ...(direction === 'input' ? compareChecks(old.checks, now.checks) : []),
    ...(isListed ? [] : compareLimits(old, now)),
  ];
  return [
    ...limits.map((limit) => toLimitFinding(limit, direction)),
    ...compareRestrictions(old, now).map((found) =>
      found.kind === 'limit' ? toLimitFinding(found.limit, direction) : found,
    ),
    ...(isListed ? compareValues(old, now, direction) : compareParts(old, now, direction)),
  ];
}

/** The differences between literals, or between those of one branch and another that admits more than a few. */
function compareValues(old: Branch, now: Branch, direction: Direction): readonly Finding[] {
  const older = old.values;
  const newer = now.values;
  const removed = older?.filter((value) => !acceptsValue(now, value)) ?? [];
  const added = newer?.filter((value) => !acceptsValue(old, value)) ?? [];
  const toText = (values: readonly unknown[], separator: string): string =>
    values.map((value) => JSON.stringify(value)).join(separator);
  const texts = { before: older && toText(older, ' | '), after: newer && toText(newer, ' | ') };
  const narrower = [
    ...(removed.length === 0 ? [] : [`lost ${toText(removed, ', ')}`]),
    ...(older === undefined ? [`takes only ${toText(newer ?? [], ', ')} now`] : []),
  ];
  const wider = [
    ...(added.length === 0 ? [] : [`gained ${toText(added, ', ')}`]),
    ...(newer === undefined ? ['takes any value now'] : []),
  ];
  return [
    ...narrower.map((message) => toFinding(`${direction}-values-narrower`, { message, ...texts })),
    ...wider.map((message) => toFinding(`${direction}-values-wider`, { message, ...texts })),
  ];
}

function acceptsValue({ values, schema }: Branch, value: unknown): boolean {
  return values === undefined ? accepts(schema, value) : hasValue(values, value);
}

function compareParts(old: Branch, now: Branch, direction: Direction): readonly Finding[] {
  if (old.type === 'object' && now.type === 'object') return compareObjects(old, now, direction);
  if (old.type === 'array' && now.type === 'array') return compareLists(old, now, direction);
  if (old.type !== 'string' || now.type !== 'string' || old.kind === now.kind) return [];
  return [toValueChange(old.kind ?? 'string', now.kind ?? 'string')];
}

/** The differences between two lists, position by position. */
function compareLists(old: ListBranch, now: ListBranch, direction: Direction): readonly Finding[] {
  const positions = Math.max(old.first.length, now.first.length);
  const inner = (index: number, name: string): readonly Finding[] => {
    const a = old.first[index] ?? old.rest ?? anything;
    const b = now.first[index] ?? now.rest ?? anything;
    // Where one side allows no item at this position, the limit of their number reports it.
    return isNothing(a) || isNothing(b) ? [] : [toInner(`[${name}]`, a, b)];
  };
  // Readers of a tuple count on its positions, as on the fields of an object.
  const least = direction === 'output' ? Math.min(old.first.length, old.counts.minItems ?? 0) : 0;
  const indexes = Array.from({ length: positions }, (_, index) => index);
  return [
    ...indexes
      .slice(now.counts.minItems ?? 0, least)
      .map((index) =>
        toFinding('output-field-optional', { message: 'may be missing' }, `[${index}]`),
      ),
    ...indexes.flatMap((index) => inner(index, `${index}`)),
    ...inner(positions, ''),
  ];
}
