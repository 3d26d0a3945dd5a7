import type { ContractDiff } from '../contract/contract-change.ts';

/** The step by which the version of an API must go up. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'none';

/**
 * Major where callers break; minor where they may, or where a rule says that there is more (`-added`, `-wider`); patch
 * for the rest.
 */
export function toSemver({ added, removed, changed, server, class: worst }: ContractDiff): VersionStep {
  if (worst === 'breaking') return 'major';
  const changes = [...[...added, ...removed, ...changed].flatMap((capability) => capability.changes), ...server];
  if (worst === 'risky' || changes.some(({ rule }) => /-(added|wider)$/.test(rule))) return 'minor';
  return changes.length > 0 ? 'patch' : 'none';
}
