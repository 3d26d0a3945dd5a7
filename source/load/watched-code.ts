import { dirname } from 'node:path';
import { type FileWatcher, type WatchTrouble, watchFiles } from '../system/watch-files.ts';
import type { WatchedGlob } from '../system/watched-places.ts';
import type { CodeNote } from './hooks/code-note.ts';
import { LoadedCode, type LoadedCodeOptions } from './loaded-code.ts';
import { type Load, Reloader } from './reloader.ts';

export interface WatchedCodeOptions extends Omit<LoadedCodeOptions, 'others'> {
  /** Patterns of files that the code reads and does not import. */
  readonly globs?: readonly WatchedGlob[];
  /** Loads what is on the disk, by `code.load`. Never rejects. */
  readonly load: (load: Load) => Promise<void>;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

const systemTools = {
  openCode: (options: LoadedCodeOptions) => new LoadedCode(options),
  watchFiles,
};

/**
 * Code that is loaded, and loaded again after every save of what it is made of. A save during a load is loaded after
 * it.
 */
export class WatchedCode {
  readonly code: LoadedCode;
  readonly #options: WatchedCodeOptions;
  readonly #tools: typeof systemTools;
  readonly #reloader: Reloader;
  /** Files of `globs` that have changed. */
  readonly #read = new Set<string>();
  /** Files that the last load has looked for. */
  #missing: readonly string[] = [];
  #watching: Promise<FileWatcher> | undefined;

  constructor(options: WatchedCodeOptions, tools = systemTools) {
    this.#options = options;
    this.#tools = tools;
    this.code = tools.openCode({ ...options, others: this.#read });
    this.#reloader = new Reloader({
      code: this.code,
      counts: (file) =>
        this.code.counts(file) || this.#isMatched(file) || this.#missing.includes(file),
      load: async (load) => {
        await options.load(load);
        // What is saved before its file is watched is found by the look after this.
        await this.addPaths();
      },
    });
  }

  /** Watches its files. Resolves when no save is missed any more; one before is found by a load that goes on. */
  async watch(): Promise<void> {
    const { project, globs = [], envFiles, onTrouble } = this.#options;
    this.#watching = this.#tools.watchFiles({
      root: project.root,
      folder: dirname(project.entryFile),
      globs,
      onChange: (files) => {
        for (const file of files) if (this.#isMatched(file)) this.#read.add(file);
        this.#reloader.take(files);
      },
      onTrouble,
    });
    (await this.#watching).add(envFiles);
  }

  /** Has it loaded, once more if need be. */
  load(why: 'start' | 'restart'): void {
    this.#reloader.ask(why);
  }

  /** Takes what the hooks tell. What is loaded while a load goes on counts at its end. */
  take(notes: readonly CodeNote[]): void {
    const stale = this.code.take(notes);
    if (this.code.isLoading) return;
    void this.addPaths();
    this.#reloader.take(stale);
  }

  /** The load has looked for these files (absolute paths), which are not there. */
  miss(files: readonly string[]): void {
    this.#missing = files;
    void this.addPaths();
  }

  /** Whether something newer than what is being loaded waits. */
  isBehind(): boolean {
    return this.#reloader.isBehind();
  }

  /** Has what the code depends on now watched. */
  async addPaths(): Promise<void> {
    (await this.#watching)?.add([...this.code.paths(), ...this.#missing]);
  }

  /** Loads nothing any more. */
  async close(): Promise<void> {
    this.#reloader.end();
    await (await this.#watching)?.close();
  }

  #isMatched(file: string): boolean {
    return (this.#options.globs ?? []).some(({ matches }) => matches(file));
  }
}
