import type { LoadedCode } from './loaded-code.ts';

/** A load that is asked for. */
export interface Wanted {
  readonly why: 'start' | 'restart' | 'change';
  /** The files that changed, each once; absolute paths. */
  readonly files: readonly string[];
  /** When it was first asked for, milliseconds of `performance.now()`. */
  readonly since: number;
}

export interface Load extends Wanted {
  /** Aborted when something newer waits. */
  readonly newer: AbortSignal;
}

export interface ReloaderOptions {
  readonly code: Pick<LoadedCode, 'findStale' | 'isSeen'>;
  /** Whether a change of a file (absolute path) may make it other code, as far as is known now. */
  readonly counts: (file: string) => boolean;
  /** Loads what is on the disk. Never rejects. */
  readonly load: (load: Load) => Promise<void>;
}

/** Loads code, and loads it once more for what has changed meanwhile, so that the last save wins. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #isRunning = false;
  #isEnded = false;
  #waiting: Wanted | undefined;
  /** Changes that did not count when they came, during a load. */
  #passed: string[] = [];
  #newer = new AbortController();

  constructor(options: ReloaderOptions) {
    this.#options = options;
  }

  ask(why: 'start' | 'restart'): void {
    this.#want({ why, files: [], since: performance.now() });
  }

  /** Takes changed files; those that do not count may turn out to do so at the end of a load. */
  take(files: readonly string[]): void {
    const counted = files.filter((file) => this.#options.counts(file));
    if (this.#isRunning) this.#passed.push(...files.filter((file) => !counted.includes(file)));
    if (counted.length > 0) this.#want({ why: 'change', files: counted, since: performance.now() });
  }

  /** Whether something has changed since the load began. */
  isBehind(): boolean {
    return toFresh(this.#waiting, this.#options) !== undefined || this.#passed.some(this.#options.counts);
  }

  /** No load begins any more. */
  end(): void {
    this.#isEnded = true;
  }

  #want(next: Wanted): void {
    this.#waiting = joinWanted(this.#waiting, next);
    this.#newer.abort();
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting !== undefined && !this.#isEnded) {
      const wanted = toFresh(this.#waiting, this.#options);
      this.#waiting = undefined;
      if (wanted !== undefined) await this.#load(wanted);
    }
    this.#isRunning = false;
  }

  async #load(wanted: Wanted): Promise<void> {
    this.#newer = new AbortController();
    await this.#options.load({ ...wanted, newer: this.#newer.signal });
    const passed = this.#passed.splice(0);
    this.take([...passed, ...this.#options.code.findStale()]);
    this.#passed = [];
  }
}

/** Without what the last load has seen, or needs no more; undefined where nothing is left of it. */
function toFresh(wanted: Wanted | undefined, { code, counts }: ReloaderOptions): Wanted | undefined {
  if (wanted?.why !== 'change') return wanted;
  const files = wanted.files.filter((file) => counts(file) && !code.isSeen(file));
  return files.length === 0 ? undefined : { ...wanted, files };
}

/** The load that serves both. */
function joinWanted(before: Wanted | undefined, next: Wanted): Wanted {
  if (before === undefined) return next;
  const whys = [before.why, next.why];
  return {
    why: whys.includes('start') ? 'start' : whys.includes('restart') ? 'restart' : 'change',
    files: [...new Set([...before.files, ...next.files])],
    since: before.since,
  };
}
