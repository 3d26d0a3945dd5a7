import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { compiledFile } from '../../package-root.ts';
import { hookModules, hookModulesApart } from '../../patches/hook-modules.ts';
import { hookRequire } from '../../patches/hook-require.ts';
import { type CodeNote, type HooksOrder, readCode } from './code-note.ts';
import { compileToCommonJs } from './compile.ts';
import { createHooks } from './create-hooks.ts';

/** The hooks of this thread. */
export interface InstalledHooks {
  readonly take: (order: HooksOrder) => void;
  /** Everything that they have told since the last time. */
  readonly notes: () => readonly CodeNote[];
  /** Absolute paths of all files that they have loaded. */
  readonly files: () => readonly string[];
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
  const { taken, add, files } = createNotes(() => result.onNote());
  const hooks = createHooks(add);
  const result: InstalledHooks = { take: hooks.take, notes: taken, files, onNote: () => {} };
  if (hookModules({ resolve: hooks.resolve, load: hooks.load })) return result;
  hookRequire(hooks, (file) => compileToCommonJs(file, readCode(file).text));
  return Object.assign(result, installApart(result, add));
}

/** Node 20 runs hooks on a thread of their own, which sees nothing of what is required. */
function installApart({ take, notes, files }: InstalledHooks, add: (note: CodeNote) => void): Partial<InstalledHooks> {
  const { port1, port2 } = new MessageChannel();
  hookModulesApart(pathToFileURL(compiledFile('load/hooks/hooks-child.js')), { port: port2 });
  const receive = (): void => {
    for (let found = receiveMessageOnPort(port1); found; found = receiveMessageOnPort(port1))
      add(found.message as CodeNote);
  };
  port1.on('message', add);
  port1.unref();
  const after =
    <T>(get: () => T) =>
    () => {
      receive();
      return get();
    };
  return {
    take: (order) => {
      port1.postMessage(order);
      take(order);
    },
    notes: after(notes),
    files: after(files),
  };
}

function createNotes(onNote: () => void) {
  let notes: CodeNote[] = [];
  const read = new Set<string>();
  return {
    add: (note: CodeNote): void => {
      if (note.kind === 'file') read.add(note.file);
      if (notes.push(note) === 1) onNote();
    },
    taken: (): readonly CodeNote[] => {
      const all = notes;
      notes = [];
      return all;
    },
    files: (): readonly string[] => [...read],
  };
}
