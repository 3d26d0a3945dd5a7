import { dirname } from 'node:path';
import type { Project } from '../../manifest/project.ts';
import { watchFiles } from '../../system/watch/watch-files.ts';
import type { WatchTrouble } from '../../system/watch/watch-trouble.ts';
import { type BuildInputs, noInputs, toMissingPaths } from '../bundle/build-inputs.ts';
import { createChangeFilter } from './change-filter.ts';
import { createReloader } from './reloader.ts';
import { toRetryMs } from './to-retry-ms.ts';

export interface WatchInputsOptions {
  readonly project: Project;
  /** Absolute paths. */
  readonly envFiles: readonly string[];
  /** Loads the project. Never rejects. */
  readonly load: (cause: LoadCause) => Promise<LoadedInputs>;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export interface LoadCause {
  /** The changed files, as absolute paths; none where somebody asks for a load. */
  readonly files: readonly string[];
  /** Whether the code may be what was loaded last, which need not be loaded again. */
  readonly mayBeSame: boolean;
  /** Whether the same files have failed before, for a reason that may pass by itself. */
  readonly isAgain: boolean;
}

export interface LoadedInputs {
  /** The inputs that the load depended on. */
  readonly inputs: BuildInputs;
  /** Whether it has failed for a reason that may pass by itself: it is tried again. */
  readonly mayPass: boolean;
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
 * `tsconfig.json` and the env files. A save during a load is loaded after it, so the last save wins. What a full disk has hindered is loaded again without a
 * save.
 */
export function watchInputs({ project, envFiles, load, onTrouble }: WatchInputsOptions): InputsWatch {
  let isClosed = false;
  let inputs = noInputs;
  /** The number of loads in a row that have failed where the next may go well by itself. */
  let tries = 0;
  let waiting: NodeJS.Timeout | undefined;
  const filter = createChangeFilter(() => inputs, envFiles);
  const reloader = createReloader({
    filter,
    load: async (files, mayBeSame) => {
      const startedAt = Date.now();
      clearTimeout(waiting);
      const loaded = await load({ files, mayBeSame, isAgain: tries > 0 && files.length === 0 });
      ({ inputs } = loaded);
      if (isClosed) return;
      tries = loaded.mayPass ? tries + 1 : 0;
      if (loaded.mayPass) waiting = setTimeout(() => void reloader.take([]), toRetryMs(tries)).unref();
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
      clearTimeout(waiting);
      reloader.end();
      await (await watching).close();
    },
  };
}
