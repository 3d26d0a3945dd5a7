import { isBuiltOf, isDuring, type Span } from '../../load/watch/span.ts';
import type { SeenChange } from '../../system/watch/gather-changes.ts';

/** A start of the server that is asked for. Times are milliseconds of `performance.now()`. */
export interface Wanted {
  readonly why: 'start' | 'restart' | 'change';
  /** The files that changed, each once. */
  readonly changes: readonly SeenChange[];
  /** When it was first asked for. */
  readonly since: number;
}

/** A build that failed. */
export interface FailedAttempt {
  readonly start: Wanted;
  /** The same for the same failure. */
  readonly reason: string;
  readonly builtAt: number;
  /** Whether it is known to people; a save that comes in parts may mend it before. */
  readonly isTold: boolean;
}

/** The deeds of the server so far, as far as files could be its work. */
export interface ServerPast {
  /** The last start, well or not, until it had led to a server or failed; undefined where it was given up. */
  readonly tried:
    | (Span & { readonly code: string | undefined; readonly builtAt: number; readonly to: number })
    | undefined;
  /** When processes were told to end, and did; the newest ones. */
  readonly endings: readonly Span[];
  /** Absolute paths of files that the server was found to write with other content each time. */
  readonly ownFiles: ReadonlySet<string>;
}

/** The start that serves both. */
export function joinWanted(before: Wanted | undefined, next: Wanted): Wanted {
  if (before === undefined) return next;
  const whys = [before.why, next.why];
  return {
    why: whys.includes('start') ? 'start' : whys.includes('restart') ? 'restart' : 'change',
    changes: [...new Map([...before.changes, ...next.changes].map((change) => [change.file, change])).values()],
    since: before.since,
  };
}

/** Whether it is wanted for nothing but files that were changed while the server started or ended. */
export function isEcho({ why, changes }: Wanted, past: ServerPast): boolean {
  return why === 'change' && changes.every((change) => mayBeOwn(change, past));
}

/** Whether it is wanted for files as a build began with: the system may report a save late, and twice. */
export function isOlder({ why, changes }: Wanted, { builtAt }: FailedAttempt): boolean {
  return why === 'change' && changes.every((change) => isBuiltOf(change, builtAt, builtAt));
}

/** Without the saves that the last build has seen and the system tells of only now, unless there are no others. */
export function withoutBuiltFiles(wanted: Wanted, last: { readonly builtAt: number } | undefined): Wanted {
  if (last === undefined || wanted.why !== 'change') return wanted;
  const changes = wanted.changes.filter(({ changedAt }) => changedAt === undefined || changedAt >= last.builtAt);
  return changes.length === 0 ? wanted : { ...wanted, changes };
}

/** Without what the server is known to write; undefined where nothing is left. */
export function withoutOwnFiles(wanted: Wanted | undefined, past: ServerPast): Wanted | undefined {
  if (wanted?.why !== 'change') return wanted;
  const changes = wanted.changes.filter((change) => !past.ownFiles.has(change.file) || !mayBeOwn(change, past));
  return changes.length === 0 ? undefined : { ...wanted, changes };
}

/**
 * Whether the server itself may have changed a file, while it started or ended. It ends when its successor answers,
 * which is when people save again: then it is taken to write data only.
 */
export function mayBeOwn(change: SeenChange, { tried, endings }: ServerPast): boolean {
  if (tried !== undefined && isDuring(change, tried)) return true;
  return endings.some((span) => isDuring(change, span)) && !/\.[cm]?[jt]sx?$/.test(change.file);
}
