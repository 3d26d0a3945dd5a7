import type { ContractDiff } from '../contract/contract-change.ts';

/** The step by which the version of an API must go up. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'none';

/** Major where callers break; minor where there is more than before, or callers may break; patch for what nobody has to look at. */
export function toSemver({ added, removed, changed, server, class: worst }: ContractDiff): VersionStep {
  if (worst === 'breaking') return 'major';
  const isMore = [...removed, ...changed].some(({ changes }) =>
    changes.some(({ rule }) => /-added|-wider$/.test(rule)),
  );
  if (added.length > 0 || worst === 'risky' || isMore) return 'minor';
  return changed.length + server.length > 0 ? 'patch' : 'none';
}
