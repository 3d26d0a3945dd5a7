import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { compiledFile } from '../../package-root.ts';
import { hookModules, hookModulesApart } from '../../patches/hook-modules.ts';
import { hookRequire } from '../../patches/hook-require.ts';
import { findStats } from '../../system/paths.ts';
import { type CodeNote, type HooksOrder, readCode } from './code-note.ts';
import { compileToCommonJs } from './compile.ts';
import { createHooks } from './create-hooks.ts';

export interface InstalledHooks {
  readonly take: (order: HooksOrder) => void;
  readonly notes: () => readonly CodeNote[];
  readonly files: () => readonly string[];
  /** What is loaded of packages, from now on. Undefined where hooks do not see all of it: before Node 22.15. */
  readonly followPackages: (() => PackageFiles) | undefined;
  /** Called once when there is something new to tell. */
  onNote: () => void;
}

/** The name by which the files of the tool that are built apart share the hooks of a thread. */
const KEY = Symbol.for('capix.hooks');
const shared = globalThis as { [KEY]?: InstalledHooks };

/** Lets this thread load TypeScript of a project where it lies, and what it starts later too: once. */
export function installHooks(): InstalledHooks {
  shared[KEY] ??= install();
  return shared[KEY];
}

function install(): InstalledHooks {
  const notes: CodeNote[] = [];
  const files = new Set<string>();
  const add = (note: CodeNote): void => {
    if (note.kind === 'file') files.add(note.file);
    if (notes.push(note) === 1) installed.onNote();
  };
  let packageFiles: PackageFiles | undefined;
  const { resolve, load, take } = createHooks(add, (url) => packageFiles?.add(url));
  const installed = {
    take,
    notes: () => notes.splice(0),
    files: () => [...files],
    followPackages: undefined,
    onNote: () => {},
  };
  if (hookModules({ resolve, load }))
    return Object.assign(installed, {
      followPackages: () => {
        packageFiles = new PackageFiles();
        return packageFiles;
      },
    });
  // Node 20 runs hooks on a thread of their own, which sees nothing of what is required.
  hookRequire({ resolve, load }, (file) => compileToCommonJs(file, readCode(file).text));
  const thread = startHooksThread(add);
  return Object.assign(installed, {
    take: (order: HooksOrder) => {
      thread.send(order);
      take(order);
    },
    notes: () => {
      thread.receive();
      return notes.splice(0);
    },
    files: () => {
      thread.receive();
      return [...files];
    },
  });
}

/** The hooks of imports on Node 20. `receive` takes the notes that have arrived and wait for a turn of this thread. */
function startHooksThread(add: (note: CodeNote) => void) {
  const { port1, port2 } = new MessageChannel();
  hookModulesApart(pathToFileURL(compiledFile('load/hooks/hooks-child.js')), { port: port2 });
  port1.on('message', add).unref();
  const takeNote = (): boolean => {
    const received = receiveMessageOnPort(port1);
    if (received !== undefined) add(received.message as CodeNote);
    return received !== undefined;
  };
  return {
    send: (order: HooksOrder): void => port1.postMessage(order),
    receive: (): void => {
      while (takeNote());
    },
  };
}

/** The files of packages that a process has loaded, as they were then: `npm install`, or a tool, may change them. */
class PackageFiles {
  readonly #states = new Map<string, string>();

  add(url: string): void {
    if (!url.startsWith('file:')) return;
    const file = fileURLToPath(url);
    this.#states.set(file, toState(file));
  }

  areAsLoaded(): boolean {
    return [...this.#states].every(([file, state]) => state === toState(file));
  }
}

function toState(file: string): string {
  const { mtimeMs, size, ino } = findStats(file) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}
