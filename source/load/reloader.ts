import type { LoadedCode } from './loaded-code.ts';

export interface Wanted {
  readonly why: 'start' | 'restart' | 'change';
  /** The files that changed, each once; absolute paths. */
  readonly files: readonly string[];
  /** When somebody first wanted it, milliseconds of `performance.now()`. */
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
  /** With files that do not count: they may turn out to do so at the end of a load. */
  #waiting: Wanted | undefined;
  #newer = new AbortController();

  constructor(options: ReloaderOptions) {
    this.#options = options;
  }

  ask(why: Wanted['why'], files: readonly string[] = []): void {
    const { why: before, files: others = [], since = performance.now() } = this.#waiting ?? {};
    const order = ['start', 'restart', 'change'] as const;
    const first = order.find((each) => each === why || each === before) ?? why;
    this.#waiting = { why: first, files: [...new Set([...others, ...files])], since };
    if (this.isBehind()) this.#newer.abort();
    if (!this.#isRunning) void this.#run();
  }

  take(files: readonly string[]): void {
    if (files.length > 0) this.ask('change', files);
  }

  isBehind(): boolean {
    return this.#findFresh() !== undefined;
  }

  end(): void {
    this.#isEnded = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting !== undefined && !this.#isEnded) {
      const wanted = this.#findFresh();
      this.#waiting = undefined;
      if (wanted === undefined) continue;
      this.#newer = new AbortController();
      await this.#options.load({ ...wanted, newer: this.#newer.signal });
      this.take(this.#options.code.findStale());
    }
    this.#isRunning = false;
  }

  /** The waiting load without files that the last one has seen, or does not need; undefined where none is left. */
  #findFresh(): Wanted | undefined {
    const wanted = this.#waiting;
    if (wanted?.why !== 'change') return wanted;
    const { counts, code } = this.#options;
    const files = wanted.files.filter((file) => counts(file) && !code.isSeen(file));
    return files.length === 0 ? undefined : { ...wanted, files };
  }
}
