import { dirname } from 'node:path';
import type { Project } from '../manifest/project.ts';
import type { SeenChange } from '../system/gather-changes.ts';
import { type WatchTrouble, watchFiles } from '../system/watch-files.ts';
import { type CodeInputs, isBuildInput, noInputs, toInputPaths } from './code-inputs.ts';
import { Reloader } from './reloader.ts';

export interface WatchInputsOptions {
  readonly project: Project;
  /** Absolute paths. */
  readonly envFiles: readonly string[];
  /** Loads the project, and gives the inputs that the load depended on. Never rejects. */
  readonly load: (cause: LoadCause) => Promise<CodeInputs>;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export interface LoadCause {
  /** The changed files, as absolute paths; none where somebody asks for a load. */
  readonly files: readonly string[];
  /** Whether the code may be what was loaded last, which need not be loaded again. */
  readonly mayBeSame: boolean;
}

export interface InputsWatch {
  /** Loads once more, whether something has changed or not. */
  readonly load: () => void;
  /** The code that was loaded has turned out to depend on more; `changes` of that are loaded. */
  readonly take: (inputs: CodeInputs, changes: readonly SeenChange[]) => void;
  /** Resolves when saves are seen. */
  readonly opened: Promise<unknown>;
  /** No load begins any more. */
  readonly close: () => Promise<void>;
}

/**
 * Loads a project, and loads it again after every save of a file that it is made of, of an import that was missing,
 * `package.json`, `tsconfig.json` and the env files. A save during a load is loaded after it, so the last save wins.
 */
export function watchInputs({ project, envFiles, load, onTrouble }: WatchInputsOptions): InputsWatch {
  let isClosed = false;
  let inputs = noInputs;
  const reloader = new Reloader({
    counts: (file) => isBuildInput(file, inputs, (other) => envFiles.includes(other)),
    load: async ({ changes, mayBeSame }) => {
      const startedAt = Date.now();
      inputs = await load({ files: changes.map(({ file }) => file), mayBeSame });
      if (!isClosed) await watch(startedAt);
      return true;
    },
  });
  const watch = async (since: number): Promise<void> =>
    (await watching).add([...toInputPaths(inputs), ...envFiles], since);
  const watching = watchFiles({
    root: project.root,
    folder: dirname(project.entryFile),
    onChange: (changes) => reloader.take(changes),
    onTrouble,
  });
  // Loading need not wait for the watcher: what is saved in between is looked for after the load.
  reloader.ask('start');
  return {
    load: () => reloader.ask('restart'),
    take: (more, changes) => {
      inputs = more;
      void watch(Date.now());
      reloader.take(changes);
    },
    opened: watching,
    close: async () => {
      isClosed = true;
      reloader.end();
      await (await watching).close();
    },
  };
}
