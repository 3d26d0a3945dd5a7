import { dirname } from 'node:path';
import type { Project } from '../manifest/project.ts';
import { type WatchTrouble, watchFiles } from '../system/watch-files.ts';
import type { CodeNote } from './hooks/code-note.ts';
import type { LoadedCode } from './loaded-code.ts';
import { Reloader } from './reloader.ts';

export interface WatchInputsOptions {
  readonly project: Project;
  readonly code: LoadedCode;
  /** Loads the project after a change of some files (absolute paths), or without. Never rejects. */
  readonly load: (files: readonly string[]) => Promise<void>;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export type InputsWatch = ReturnType<typeof watchInputs>;

/**
 * Loads a project, and loads it again after every save of what it is made of. A save during a load is loaded after it.
 */
export function watchInputs({ project, code, load, onTrouble }: WatchInputsOptions) {
  const watch = async (): Promise<void> => (await watching).add(code.paths());
  const reloader = new Reloader({
    code,
    counts: (file) => code.counts(file),
    load: async ({ files }) => {
      await load(files);
      await watch();
    },
  });
  const watching = watchFiles({
    root: project.root,
    folder: dirname(project.entryFile),
    onChange: (files) => reloader.take(files),
    onTrouble,
  });
  // Loading need not wait for the watcher: what is saved in between is looked for after the load.
  reloader.ask('start');
  return {
    load: (): void => reloader.ask('restart'),
    take: (notes: readonly CodeNote[]): void => {
      const stale = code.take(notes);
      if (code.isLoading) return;
      void watch();
      reloader.take(stale);
    },
    close: async (): Promise<void> => {
      reloader.end();
      await (await watching).close();
    },
  };
}
