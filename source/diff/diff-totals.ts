import {
  type ChangeClass,
  type ContractChange,
  type ContractDiff,
  compareClasses,
} from '../contract/contract-change.ts';

function toAllChanges({ added, removed, changed, server }: ContractDiff): readonly ContractChange[] {
  return [...server, ...[...removed, ...changed, ...added].flatMap(({ changes }) => changes)];
}

/** The number of changes of each class. */
export function countClasses(diff: ContractDiff): Readonly<Record<ChangeClass, number>> {
  const count = (type: ChangeClass): number => toAllChanges(diff).filter((change) => change.class === type).length;
  return { breaking: count('breaking'), risky: count('risky'), safe: count('safe') };
}

/** Whether a difference is as bad as `--fail-on` says, or worse. */
export function reachesClass({ class: worst }: ContractDiff, failOn: 'breaking' | 'risky' | undefined): boolean {
  return worst !== undefined && failOn !== undefined && compareClasses(worst, failOn) <= 0;
}

/** The step by which the version of an API must go up. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'none';

/**
 * Major where callers break; minor where they may, or where they can do or rely on more than before; patch for the
 * rest: a response that says less often what callers are ready for, and what is only announced.
 */
export function toSemver(diff: ContractDiff): VersionStep {
  const changes = toAllChanges(diff);
  if (diff.class === 'breaking') return 'major';
  if (diff.class === 'risky' || changes.some(({ rule }) => !little.test(rule))) return 'minor';
  return changes.length > 0 ? 'patch' : 'none';
}

/** The rules of safe changes by which callers can do no more than before. */
const little = /^(deprecation|error-removed|job-settings|response-|sunset)|^output-.*-narrower$/;
