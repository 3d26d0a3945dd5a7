import type { Manifest } from '../manifest/manifest.ts';
import { toProjectPath } from '../manifest/project.ts';
import type { CheckedOptions } from '../rules/load-checked-manifest.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import { toEnvFiles } from './env-files.ts';
import { expectProject } from './expect-project.ts';
import { type LoadFailure, toImportFailure } from './load-failure.ts';
import type { LoadRegistryOptions } from './load-registry.ts';
import { type LoadResult, startProjectLoader } from './start-project-loader.ts';
import { watchInputs } from './watch-inputs.ts';

/** The events of a project that is watched. `at`: milliseconds since 1970. */
export type ProjectEvent =
  | { readonly kind: 'loading'; readonly files: readonly string[]; readonly at: number }
  | ({ readonly kind: 'loaded'; readonly manifest: Manifest } & LoadTime)
  | ({ readonly kind: 'failed'; readonly failure: LoadFailure } & LoadTime)
  /** Changes may be seen late, or not at all. */
  | { readonly kind: 'watch-trouble'; readonly trouble: WatchTrouble };

interface LoadTime {
  readonly durationMs: number;
  readonly at: number;
}

export interface WatchProjectOptions extends LoadRegistryOptions, CheckedOptions {
  readonly onEvent: (event: ProjectEvent) => void;
}

export interface ProjectWatch {
  readonly close: () => Promise<void>;
}

/**
 * Loads a project and loads it again as `watchInputs` does. No event comes after `close`.
 *
 * @throws CliError `NoProject`, `NoEnvFile`
 */
export async function watchProject(options: WatchProjectOptions): Promise<ProjectWatch> {
  const project = expectProject(options);
  const envFiles = toEnvFiles(project.root, options);
  const { hasSchemas, published, onEvent } = options;
  let isClosed = false;
  const emit = (event: ProjectEvent): void => {
    if (!isClosed) onEvent(event);
  };
  const loader = startProjectLoader(project, { hasSchemas, published, envFiles });
  const load = async (files: readonly string[]): Promise<void> => {
    const startedAt = Date.now();
    emit({ kind: 'loading', files: files.map((file) => toProjectPath(file, project.root)), at: startedAt });
    const result = await loader.load().catch((error: unknown): LoadResult => {
      return { kind: 'failed', failure: toImportFailure(error, project, []) };
    });
    const at = Date.now();
    emit({ ...result, at, durationMs: at - startedAt });
  };
  const onTrouble = (trouble: WatchTrouble): void => emit({ kind: 'watch-trouble', trouble });
  const watch = watchInputs({ project, code: loader.code, load, onTrouble });
  await watch.opened;
  return {
    close: async () => {
      isClosed = true;
      loader.close();
      await watch.close();
    },
  };
}
