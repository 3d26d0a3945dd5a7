import childProcess, { type ForkOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { hideOwnFile } from './hide-own-file.ts';

export interface EntryRunner {
  /** Absolute path of the file that runs another one: its first argument, or in a thread what `takeEntry` gives. */
  readonly runner: string;
  /** Told of each file that is run and is of no package, by its absolute path. */
  readonly onEntry: (file: string) => void;
}

/**
 * Lets code start processes and threads from files in TypeScript, as it starts compiled ones: by their own names, or by the names that they
 * will have when they are compiled.
 */
export function runTypeScriptEntries({ runner, onEntry }: EntryRunner): void {
  const { fork } = childProcess;
  const forkEntry = (path: string | URL, ...rest: readonly unknown[]): unknown => {
    const args = Array.isArray(rest[0]) ? (rest[0] as readonly string[]) : [];
    const options = (Array.isArray(rest[0]) ? rest[1] : rest[0]) as ForkOptions | undefined;
    const { file, isPlain } = findEntry(path, options?.cwd?.toString());
    if (file !== undefined) onEntry(file);
    if (file === undefined || isPlain || hasLoader(options?.execArgv))
      return (fork as (...all: unknown[]) => unknown)(path, ...rest);
    return fork(runner, [file, ...args], options);
  };
  const { Worker } = workerThreads;
  class EntryWorker extends Worker {
    constructor(path: string | URL, options: WorkerOptions = {}) {
      const { file, isPlain } = options.eval ? noEntry : findEntry(path);
      if (file !== undefined) onEntry(file);
      const isRun = file !== undefined && !isPlain && !hasLoader(options.execArgv);
      // A thread gets a copy of these data when it is made.
      workerThreads.setEnvironmentData(ENTRY, isRun ? file : undefined);
      super(isRun ? runner : path, options);
      workerThreads.setEnvironmentData(ENTRY, undefined);
    }
  }
  Object.defineProperty(EntryWorker, 'name', { value: 'Worker' });
  Object.assign(childProcess, { fork: forkEntry });
  Object.assign(workerThreads, { Worker: EntryWorker });
  syncBuiltinESMExports();
}

const ENTRY = 'capix.entry';

/** The file that this process or thread is to run, which finds itself in `process.argv[1]` from now on. */
export function takeEntry(): string {
  if (workerThreads.isMainThread) hideOwnFile();
  else process.argv[1] = workerThreads.getEnvironmentData(ENTRY) as string;
  return process.argv[1] ?? '';
}

/** Whether the code brings its own way to load TypeScript. */
function hasLoader(execArgv: readonly string[] = []): boolean {
  return execArgv.some((option) => /^(?:--import|--loader|--experimental-loader|--require|-r)\b/.test(option));
}

/** A file of the project that a process or a thread is to run. */
interface Entry {
  /** Absolute path; undefined where the code is none of the project's. */
  readonly file: string | undefined;
  /** Whether Node runs it as it is. */
  readonly isPlain: boolean;
}

const noEntry: Entry = { file: undefined, isPlain: true };

/** The file that a path means: in TypeScript, by its own name or by that of what it is compiled to, or in JavaScript. */
function findEntry(path: string | URL, folder = process.cwd()): Entry {
  const text = String(path);
  if (/^(?!file:)[a-z]{2,}:/i.test(text)) return noEntry;
  const file = text.startsWith('file:') ? fileURLToPath(text) : resolve(folder, text);
  if (/\.[cm]?tsx?$/.test(file)) return { file, isPlain: false };
  if (existsSync(file)) return /[\\/]node_modules[\\/]/.test(file) ? noEntry : { file, isPlain: true };
  const source = file.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== file && existsSync(source) ? { file: source, isPlain: false } : noEntry;
}
