import { findStats } from './paths.ts';

/** A file that has changed, appeared or gone. Times are milliseconds of `performance.now()`. */
export interface SeenChange {
  /** Absolute path. */
  readonly file: string;
  /** When it happened, or was reported where reports come at once. */
  readonly at: number;
  /** When the file says that it was changed, by a coarse clock. Undefined for a file that is gone. */
  readonly changedAt: number | undefined;
}

/** Makes one change of the events of one save. */
export interface ChangeGatherer {
  /** The system has reported a change, by an absolute path; one of a folder counts for nothing. */
  readonly add: (file: string) => void;
  /** A change was found out later, and may have been reported already. */
  readonly addLate: (file: string) => void;
  readonly end: () => void;
}

export interface GatherOptions {
  /** Gets the files of a save in the order of their first event. */
  readonly onChange: (changes: readonly SeenChange[]) => void;
  /** Whether reports come at once, so that whatever is reported later also happened later. */
  readonly isPrompt: () => boolean;
}

/** Events of one save come within this time, milliseconds. */
const TOGETHER_MS = 2;
/** An editor removes a file that it replaces, or empties it before it writes; milliseconds until there must be more. */
const REPLACED_MS = 50;
/** The time for which a change may wait for others where they do not end, as with a database, milliseconds. */
const LONGEST_MS = 100;
/** The time for which a report makes a later finding of the same file needless, milliseconds. */
const REPEATED_MS = 500;

export function gatherChanges({ onChange, isPrompt }: GatherOptions): ChangeGatherer {
  const changed = new Map<string, SeenChange>();
  const reportedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const flush = (): void => {
    const changes = [...changed.values()];
    changed.clear();
    forgetBefore(performance.now() - REPEATED_MS, reportedAt);
    onChange(changes);
  };
  const take = (file: string, wasReported: boolean): void => {
    const stats = findStats(file);
    if (stats?.isDirectory()) return;
    const now = performance.now();
    if (changed.size === 0) firstAt = now;
    const change = toSeenChange(file, stats);
    changed.set(file, wasReported && isPrompt() ? { ...change, at: now } : change);
    // A file without content is one that is just being saved.
    const delayMs = !wasReported || (stats?.size ?? 0) > 0 ? TOGETHER_MS : REPLACED_MS;
    clearTimeout(timer);
    timer = setTimeout(flush, Math.max(0, Math.min(delayMs, firstAt + LONGEST_MS - now)));
  };
  return {
    add: (file) => {
      reportedAt.delete(file);
      reportedAt.set(file, performance.now());
      take(file, true);
    },
    addLate: (file) => {
      const at = reportedAt.get(file) ?? Number.NEGATIVE_INFINITY;
      if (performance.now() - at >= REPEATED_MS) take(file, false);
    },
    end: () => clearTimeout(timer),
  };
}

/** The last change of a file (absolute path) that is found out later, as the file itself tells of it. */
export function toSeenChange(file: string, stats = findStats(file)): SeenChange {
  const now = performance.now();
  const changedAt = stats && now - (Date.now() - stats.ctimeMs);
  return { file, changedAt, at: changedAt ?? now };
}

/** `times` by file, the oldest first. */
function forgetBefore(time: number, times: Map<string, number>): void {
  for (const [file, at] of times) {
    if (at >= time) return;
    times.delete(file);
  }
}
