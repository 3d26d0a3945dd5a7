import { dirname } from 'node:path';
import type { Project } from '../../manifest/project.ts';
import { watchFiles } from '../../system/watch/watch-files.ts';
import type { WatchTrouble } from '../../system/watch/watch-trouble.ts';
import { type BuildInputs, noInputs, toMissingPaths } from '../bundle/build-inputs.ts';
import { createChangeFilter } from './change-filter.ts';
import { createReloader } from './reloader.ts';

export interface WatchInputsOptions {
  readonly project: Project;
  /** Absolute paths. */
  readonly envFiles: readonly string[];
  /** Loads the project, because of these files, and gives what the load depended on. Never rejects. */
  readonly load: (files: readonly string[], mayBeSame: boolean) => Promise<BuildInputs>;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export interface InputsWatch {
  /** Loads once more, whether something has changed or not. */
  readonly load: () => Promise<void>;
  /** Resolves when saves are seen. */
  readonly opened: Promise<unknown>;
  /** No load begins any more. */
  readonly close: () => Promise<void>;
}

/**
 * Loads a project, and loads it again after every save of a file that it is made of, of an import that was missing, `package.json`,
 * `tsconfig.json` and the env files. A save during a load is loaded after it, so the last save wins.
 */
export function watchInputs({ project, envFiles, load, onTrouble }: WatchInputsOptions): InputsWatch {
  let isClosed = false;
  let inputs = noInputs;
  const filter = createChangeFilter(() => inputs, envFiles);
  const reloader = createReloader({
    filter,
    load: async (files, mayBeSame) => {
      const startedAt = Date.now();
      inputs = await load(files, mayBeSame);
      if (isClosed) return;
      (await watching).add([...inputs.files, ...inputs.settings, ...toMissingPaths(inputs), ...envFiles], startedAt);
    },
  });
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
    opened: watching,
    close: async () => {
      isClosed = true;
      reloader.end();
      await (await watching).close();
    },
  };
}
