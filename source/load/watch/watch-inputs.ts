import { dirname } from 'node:path';
import type { Project } from '../../manifest/project.ts';
import type { SeenChange } from '../../system/watch/gather-changes.ts';
import { watchFiles } from '../../system/watch/watch-files.ts';
import type { WatchTrouble } from '../../system/watch/watch-trouble.ts';
import { type CodeInputs, noInputs, toInputPaths } from './code-inputs.ts';
import { createChangeFilter, createReloader } from './reloader.ts';

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
  readonly load: () => Promise<void>;
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
  const filter = createChangeFilter(() => inputs, envFiles);
  const reloader = createReloader({
    filter,
    load: async (files, mayBeSame) => {
      const startedAt = Date.now();
      inputs = await load({ files, mayBeSame });
      if (isClosed) return;
      await watch(startedAt);
    },
  });
  const watch = async (since: number): Promise<void> =>
    (await watching).add([...toInputPaths(inputs), ...envFiles], since);
  const watching = watchFiles({
    root: project.root,
    folder: dirname(project.entryFile),
    onChange: (changes) => {
      const picked = filter.pick(changes);
      if (picked.length > 0) void reloader.take(picked);
    },
    onTrouble,
  });
  // Loading need not wait for the watcher: what is saved in between is looked for after the load.
  void reloader.take([]);
  return {
    load: () => reloader.take([]),
    take: (more, changes) => {
      inputs = more;
      void watch(Date.now());
      if (changes.length > 0) void reloader.take(changes);
    },
    opened: watching,
    close: async () => {
      isClosed = true;
      reloader.end();
      await (await watching).close();
    },
  };
}
