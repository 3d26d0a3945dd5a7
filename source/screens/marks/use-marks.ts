import { useEffect, useMemo, useState } from 'react';
import type { ProjectState } from '../../load/project-state.ts';

/** The time for which a change stays marked, milliseconds. */
export const MARKED_MS = 2500;

const none: ReadonlySet<string> = new Set();

/** The keys that the last load brought or changed, until they have been seen for a moment. */
export function useMarks({
  changedKeys,
  loadedAt,
}: Pick<ProjectState, 'changedKeys' | 'loadedAt'>): ReadonlySet<string> {
  const [settledAt, setSettledAt] = useState<number>();
  useEffect(() => {
    if (changedKeys.length === 0) return undefined;
    const timer = setTimeout(() => setSettledAt(loadedAt), MARKED_MS);
    return () => clearTimeout(timer);
  }, [changedKeys, loadedAt]);
  const isSettled = changedKeys.length === 0 || settledAt === loadedAt;
  return useMemo(() => (isSettled ? none : new Set(changedKeys)), [isSettled, changedKeys]);
}
