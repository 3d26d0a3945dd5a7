import type { ContractDiff } from '../contract/contract-change.ts';

/** The step by which the version of an API must go up. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'none';

/**
 * Major where callers break; minor where they may, or where they can do or rely on more than before; patch for the
 * rest: a response that says less often what callers are ready for, and what is only announced.
 */
export function toSemver({ added, removed, changed, server, class: worst }: ContractDiff): VersionStep {
  if (worst === 'breaking') return 'major';
  const changes = [...[...added, ...removed, ...changed].flatMap((capability) => capability.changes), ...server];
  if (worst === 'risky' || changes.some(({ rule }) => more.test(rule))) return 'minor';
  return changes.length > 0 ? 'patch' : 'none';
}

const more = /-(added|wider|higher|longer|optional|required)$|^scope-removed$/;
