import type { SeenChange } from '../../system/watch/gather-changes.ts';

/** A load that is asked for. Times are milliseconds of `performance.now()`. */
export interface Wanted {
  readonly why: 'start' | 'restart' | 'change';
  /** The files that changed, each once. */
  readonly changes: readonly SeenChange[];
  /** When it was first asked for. */
  readonly since: number;
}

export interface Load extends Wanted {
  /** Whether the last load has seen these changes, or its code may have made them: it may be the same code. */
  readonly mayBeSame: boolean;
  /** Aborted when something newer waits. */
  readonly newer: AbortSignal;
}

export interface ReloaderOptions {
  /** Whether a change of a file (absolute path) may make it other code, as far as is known now. */
  readonly counts: (file: string) => boolean;
  /** Loads what is on the disk. Gives whether the code ran: it may have written what changes meanwhile. Never rejects. */
  readonly load: (load: Load) => Promise<boolean>;
  /** The code writes these files of itself, with other content at each load: they load it no more. */
  readonly onOwnWrites?: (files: readonly string[]) => void;
}

/** Loads code, and loads it once more for what has changed meanwhile, so that the last save wins. */
export interface Reloader {
  readonly ask: (why: 'start' | 'restart') => void;
  /** Takes changes of files; those that do not count may turn out to do so at the end of a load. */
  readonly take: (changes: readonly SeenChange[]) => void;
  /** Code is told to end. It may write data until it has ended. */
  readonly watchEnd: (ended: Promise<unknown>) => void;
  /** Whether something has changed since the load began. */
  readonly isBehind: () => boolean;
  /** No load begins any more. */
  readonly end: () => void;
}

/** The most loads in a row for files written during a load: a person may save then, too. */
const MAX_ECHOES = 2;
/** The time for which such files must be left alone before one more load, milliseconds. */
const CALM_MS = 1_000;
/**
 * After so many of those loads the code writes the files, and no person: whoever saves all the time does not leave them
 * alone, and whoever stops has the last save loaded.
 */
const MAX_CALM_LOADS = 3;
/** Processes end within seconds, and few end at a time. */
const MAX_ENDINGS = 8;

/** A time in which code ran. */
interface Span {
  readonly from: number;
  /** Undefined while it lasts. */
  to: number | undefined;
}

/** Loads in a row for nothing but what was written while the code ran. */
interface Echoes {
  readonly files: ReadonlySet<string>;
  /** The number of such loads, without the first one for each file. */
  readonly count: number;
}

const noEchoes: Echoes = { files: new Set(), count: 0 };

export function createReloader({ counts, load, onOwnWrites = () => {} }: ReloaderOptions): Reloader {
  let isRunning = false;
  let isEnded = false;
  let waiting: Wanted | undefined;
  /** Changes that did not count when they came, during a load. */
  let passed: readonly SeenChange[] = [];
  let newer = new AbortController();
  /** The last look at the code, until it had run where it did. */
  let seen = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  let ran: Span | undefined;
  let endings: readonly Span[] = [];
  let echoes = noEchoes;
  const ownFiles = new Set<string>();
  let wake = (): void => {};

  /** Whether the code may have written it. Who ends may meet saves, and is taken to write data only. */
  const mayBeOwn = (change: SeenChange): boolean =>
    isDuring(change, ran) ||
    (endings.some((ending) => isDuring(change, ending)) && !/\.[cm]?[jt]sx?$/.test(change.file));
  const isEcho = ({ why, changes }: Wanted): boolean => why === 'change' && changes.every(mayBeOwn);
  const isSeen = ({ at, changedAt = Number.POSITIVE_INFINITY }: SeenChange): boolean =>
    at <= seen.to || changedAt < seen.from;

  function want(next: Wanted): void {
    waiting = joinWanted(waiting, next);
    newer.abort();
    if (!isEcho(waiting)) wake();
    if (!isRunning && !isEnded) void run();
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting !== undefined && !isEnded) {
      const { changes } = waiting;
      const isAgain = isEcho(waiting) && changes.every(({ file }) => echoes.files.has(file));
      if (isAgain && echoes.count >= MAX_ECHOES + MAX_CALM_LOADS) {
        const files = changes.map(({ file }) => file);
        for (const file of files) ownFiles.add(file);
        echoes = noEchoes;
        onOwnWrites(files);
      } else if (isAgain && echoes.count >= MAX_ECHOES) await pause();
      const wanted = isEnded ? undefined : toUnknown(waiting);
      waiting = undefined;
      if (wanted !== undefined) await loadNext(wanted);
    }
    isRunning = false;
  }

  /** Ends early where something else is wanted. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CALM_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Without what the code is known to write, and without what was loaded already where there is more. */
  function toUnknown(wanted: Wanted): Wanted | undefined {
    if (wanted.why !== 'change') return wanted;
    const changes = wanted.changes.filter((change) => !ownFiles.has(change.file) || !mayBeOwn(change));
    const fresh = changes.filter(({ changedAt }) => changedAt === undefined || changedAt >= seen.from);
    return changes.length === 0 ? undefined : { ...wanted, changes: fresh.length === 0 ? changes : fresh };
  }

  async function loadNext(wanted: Wanted): Promise<void> {
    const wasEcho = isEcho(wanted);
    const mayBeSame = wanted.why === 'change' && wanted.changes.every((change) => isSeen(change) || mayBeOwn(change));
    newer = new AbortController();
    passed = [];
    const from = performance.now();
    const hasRun = await load({ ...wanted, mayBeSame, newer: newer.signal });
    const to = performance.now();
    seen = { from, to: hasRun ? to : from };
    if (hasRun) {
      ran = seen;
      echoes = wasEcho ? withEcho(echoes, wanted) : noEchoes;
    }
    const late = passed.filter(({ file }) => counts(file));
    passed = [];
    if (late.length > 0) waiting = joinWanted(waiting, { why: 'change', changes: late, since: to });
  }

  return {
    ask: (why) => want({ why, changes: [], since: performance.now() }),
    take: (changes) => {
      const counted = changes.filter(({ file }) => counts(file));
      if (isRunning) passed = [...passed, ...changes.filter((change) => !counted.includes(change))];
      if (counted.length > 0) want({ why: 'change', changes: counted, since: performance.now() });
    },
    watchEnd: (ended) => {
      const ending: Span = { from: performance.now(), to: undefined };
      endings = [...endings, ending].slice(-MAX_ENDINGS);
      void ended.then(() => (ending.to = performance.now()));
    },
    isBehind: () => waiting !== undefined || passed.some(({ file }) => counts(file)),
    end: () => {
      isEnded = true;
      wake();
    },
  };
}

function isDuring({ at }: SeenChange, span: Span | undefined): boolean {
  return span !== undefined && at >= span.from && (span.to === undefined || at <= span.to);
}

/** The load that serves both. */
function joinWanted(before: Wanted | undefined, next: Wanted): Wanted {
  if (before === undefined) return next;
  const whys = [before.why, next.why];
  return {
    why: whys.includes('start') ? 'start' : whys.includes('restart') ? 'restart' : 'change',
    changes: [...new Map([...before.changes, ...next.changes].map((change) => [change.file, change])).values()],
    since: before.since,
  };
}

function withEcho({ files, count }: Echoes, { changes }: Wanted): Echoes {
  if (changes.every(({ file }) => files.has(file))) return { files, count: count + 1 };
  return { files: new Set([...files, ...changes.map(({ file }) => file)]), count };
}
