import { findStats } from './find-stats.ts';

/** Makes one change of the events of one save. */
export interface ChangeGatherer {
  /** The system has reported a change, by an absolute path; one of a folder counts for nothing. */
  readonly add: (file: string) => void;
  /** A file was found that may have been reported already. */
  readonly addLate: (file: string) => void;
  readonly end: () => void;
}

/** Events of one save come within this time, milliseconds. */
const TOGETHER_MS = 2;
/** An editor removes a file that it replaces, or empties it before it writes; milliseconds until there must be more. */
const REPLACED_MS = 50;
/** How long a change may wait for others where they do not end, as with a database, milliseconds. */
const LONGEST_MS = 100;
/** How long a report makes a later finding of the same file needless, milliseconds. */
const REPEATED_MS = 500;

/** `onChange` gets the files of a save in the order of their first event. */
export function gatherChanges(onChange: (files: readonly string[]) => void): ChangeGatherer {
  const changed = new Set<string>();
  const reportedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const flush = (): void => {
    const files = [...changed];
    changed.clear();
    forgetBefore(performance.now() - REPEATED_MS, reportedAt);
    onChange(files);
  };
  const take = (file: string, delayMs: number): void => {
    const now = performance.now();
    if (changed.size === 0) firstAt = now;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(flush, Math.max(0, Math.min(delayMs, firstAt + LONGEST_MS - now)));
  };
  return {
    add: (file) => {
      const stats = findStats(file);
      if (stats?.isDirectory()) return;
      reportedAt.delete(file);
      reportedAt.set(file, performance.now());
      // A file without content is one that is just being saved.
      take(file, (stats?.size ?? 0) > 0 ? TOGETHER_MS : REPLACED_MS);
    },
    addLate: (file) => {
      const at = reportedAt.get(file) ?? Number.NEGATIVE_INFINITY;
      if (performance.now() - at >= REPEATED_MS) take(file, TOGETHER_MS);
    },
    end: () => clearTimeout(timer),
  };
}

/** `times` by file, the oldest first. */
function forgetBefore(time: number, times: Map<string, number>): void {
  for (const [file, at] of times) {
    if (at >= time) return;
    times.delete(file);
  }
}
