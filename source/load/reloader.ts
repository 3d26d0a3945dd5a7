import type { SeenChange } from '../system/gather-changes.ts';

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
  /** Loads what is on the disk. Gives whether the code ran: it may have written what changes meanwhile. Never fails. */
  readonly load: (load: Load) => Promise<boolean>;
  /** The code writes these files of itself, with other content at each load: they load it no more. */
  readonly onOwnWrites?: (files: readonly string[]) => void;
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

/** Loads code, and loads it once more for what has changed meanwhile, so that the last save wins. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #isRunning = false;
  #isEnded = false;
  #waiting: Wanted | undefined;
  /** Changes that did not count when they came, during a load. */
  #passed: readonly SeenChange[] = [];
  #newer = new AbortController();
  /** The last look at the code, until it had run where it did. */
  #seen = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  #ran: Span | undefined;
  #endings: readonly Span[] = [];
  #echoes = noEchoes;
  readonly #ownFiles = new Set<string>();
  #wake = (): void => {};

  constructor(options: ReloaderOptions) {
    this.#options = options;
  }

  ask(why: 'start' | 'restart'): void {
    this.#want({ why, changes: [], since: performance.now() });
  }

  /** Takes changes of files; those that do not count may turn out to do so at the end of a load. */
  take(changes: readonly SeenChange[]): void {
    const counted = changes.filter(({ file }) => this.#options.counts(file));
    if (this.#isRunning) this.#passed = [...this.#passed, ...changes.filter((change) => !counted.includes(change))];
    if (counted.length > 0) this.#want({ why: 'change', changes: counted, since: performance.now() });
  }

  /** Code is told to end. It may write data until it has ended. */
  watchEnd(ended: Promise<unknown>): void {
    const ending: Span = { from: performance.now(), to: undefined };
    this.#endings = [...this.#endings, ending].slice(-MAX_ENDINGS);
    void ended.then(() => (ending.to = performance.now()));
  }

  /** Whether something has changed since the load began. */
  isBehind(): boolean {
    return this.#waiting !== undefined || this.#passed.some(({ file }) => this.#options.counts(file));
  }

  /** No load begins any more. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  #want(next: Wanted): void {
    this.#waiting = joinWanted(this.#waiting, next);
    this.#newer.abort();
    if (!this.#isEcho(this.#waiting)) this.#wake();
    if (!this.#isRunning && !this.#isEnded) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting !== undefined && !this.#isEnded) {
      const { changes } = this.#waiting;
      const isAgain = this.#isEcho(this.#waiting) && changes.every(({ file }) => this.#echoes.files.has(file));
      if (isAgain && this.#echoes.count >= MAX_ECHOES + MAX_CALM_LOADS) this.#ignore(changes);
      else if (isAgain && this.#echoes.count >= MAX_ECHOES) await this.#pause();
      const wanted = this.#isEnded ? undefined : this.#toUnknown(this.#waiting);
      this.#waiting = undefined;
      if (wanted !== undefined) await this.#load(wanted);
    }
    this.#isRunning = false;
  }

  /** Changes of these files are no saves while code runs. */
  #ignore(changes: readonly SeenChange[]): void {
    const files = changes.map(({ file }) => file);
    for (const file of files) this.#ownFiles.add(file);
    this.#echoes = noEchoes;
    this.#options.onOwnWrites?.(files);
  }

  /** Ends early where something else is wanted. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CALM_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #load(wanted: Wanted): Promise<void> {
    const wasEcho = this.#isEcho(wanted);
    const mayBeSame = wanted.why === 'change' && wanted.changes.every((change) => this.#isKnown(change));
    this.#newer = new AbortController();
    this.#passed = [];
    const from = performance.now();
    const hasRun = await this.#options.load({ ...wanted, mayBeSame, newer: this.#newer.signal });
    const to = performance.now();
    this.#seen = { from, to: hasRun ? to : from };
    if (hasRun) {
      this.#ran = this.#seen;
      this.#echoes = wasEcho ? withEcho(this.#echoes, wanted) : noEchoes;
    }
    const late = this.#passed.filter(({ file }) => this.#options.counts(file));
    this.#passed = [];
    if (late.length > 0) this.#waiting = joinWanted(this.#waiting, { why: 'change', changes: late, since: to });
  }

  /** Without what the code is known to write, and without what was loaded already where there is more. */
  #toUnknown(wanted: Wanted): Wanted | undefined {
    if (wanted.why !== 'change') return wanted;
    const changes = wanted.changes.filter((change) => !this.#ownFiles.has(change.file) || !this.#mayBeOwn(change));
    const fresh = changes.filter(({ changedAt }) => changedAt === undefined || changedAt >= this.#seen.from);
    return changes.length === 0 ? undefined : { ...wanted, changes: fresh.length === 0 ? changes : fresh };
  }

  #isEcho({ why, changes }: Wanted): boolean {
    return why === 'change' && changes.every((change) => this.#mayBeOwn(change));
  }

  /** Whether the code may have written it. Who ends may meet saves, and is taken to write data only. */
  #mayBeOwn(change: SeenChange): boolean {
    if (this.#ran !== undefined && isDuring(change, this.#ran)) return true;
    return this.#endings.some((ending) => isDuring(change, ending)) && !/\.[cm]?[jt]sx?$/.test(change.file);
  }

  /** Whether the last load has seen it, or it may be the work of its code. */
  #isKnown(change: SeenChange): boolean {
    const { at, changedAt = Number.POSITIVE_INFINITY } = change;
    return at <= this.#seen.to || changedAt < this.#seen.from || this.#mayBeOwn(change);
  }
}

function isDuring({ at }: SeenChange, { from, to }: Span): boolean {
  return at >= from && (to === undefined || at <= to);
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
