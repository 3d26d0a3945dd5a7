import { dirname } from 'node:path';
import type { ToManifestOptions } from '../manifest/load-manifest.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toProjectPath } from '../manifest/project.ts';
import { watchFiles } from '../system/watch-files.ts';
import type { WatchTrouble } from '../system/watch-trouble.ts';
import { type BuildInputs, noInputs, toMissingPaths } from './bundle/build-inputs.ts';
import { type ChangeFilter, createChangeFilter } from './change-filter.ts';
import { type ProjectLoader, startProjectLoader } from './child/load-in-child.ts';
import { toEnvFiles } from './env-files.ts';
import { expectProject } from './expect-project.ts';
import type { LoadFailure } from './load-failure.ts';
import type { LoadRegistryOptions } from './load-registry.ts';

/** What happens to a project that is watched. Times are milliseconds since 1970. */
export type ProjectEvent =
  | { readonly kind: 'loading'; readonly files: readonly string[]; readonly at: number }
  /** The routes of a large project, before everything else of it. */
  | { readonly kind: 'outlined'; readonly manifest: Manifest; readonly durationMs: number; readonly at: number }
  | {
      readonly kind: 'loaded';
      /** What has not changed since the load before is the same object. */
      readonly manifest: Manifest;
      readonly output: string;
      readonly durationMs: number;
      readonly at: number;
    }
  | {
      readonly kind: 'failed';
      readonly failure: LoadFailure;
      readonly output: string;
      readonly durationMs: number;
      readonly at: number;
    }
  /** Changes may be seen late, or not at all. */
  | { readonly kind: 'watch-trouble'; readonly trouble: WatchTrouble };

export interface WatchProjectOptions extends LoadRegistryOptions, ToManifestOptions {
  readonly onEvent: (event: ProjectEvent) => void;
}

export interface ProjectWatch {
  readonly close: () => Promise<void>;
}

/**
 * Loads a project and loads it again after every save of a file that it is made of, of an import that was missing, `package.json`,
 * `tsconfig.json` and the env files. A save during a load is loaded after it, so the last save wins. No event comes after `close`.
 *
 * @throws CliError `NoProject`, `NoEnvFile`
 */
export async function watchProject(options: WatchProjectOptions): Promise<ProjectWatch> {
  const project = expectProject(options);
  const envFiles = toEnvFiles(project.root, options);
  const { detail, document, onEvent } = options;
  let isClosed = false;
  const emit = (event: ProjectEvent): void => {
    if (!isClosed) onEvent(event);
  };
  let inputs = noInputs;
  const filter = createChangeFilter(() => inputs, envFiles);
  const starting = startProjectLoader(project, { ...(detail === undefined ? {} : { detail }), document, envFiles });
  const load = async (files: readonly string[]): Promise<void> => {
    const paths = files.map((file) => toProjectPath(file, project.root));
    inputs = await loadOnce(await starting, paths, emit);
  };
  const reload = createReload(load, filter);
  const run = async (files: readonly string[]): Promise<void> => {
    if (isClosed) return;
    const startedAt = Date.now();
    await reload(files);
    if (isClosed) return;
    (await watching).add([...inputs.files, ...toMissingPaths(inputs), ...envFiles], startedAt);
  };
  const watching = watchFiles({
    root: project.root,
    folder: dirname(project.configFile),
    onChange: (files) => {
      const changed = filter.pick(files);
      if (changed.length > 0) void run(changed);
    },
    onTrouble: (trouble) => emit({ kind: 'watch-trouble', trouble }),
  });
  // Loading need not wait for the watcher: what is saved in between is looked for after the load.
  void run([]);
  const [watcher, loader] = await Promise.all([watching, starting]);
  return {
    close: async () => {
      isClosed = true;
      await Promise.all([watcher.close(), loader.close()]);
    },
  };
}

/** Loads what is on the disk, and gives what that depended on. */
async function loadOnce(
  loader: ProjectLoader,
  files: readonly string[],
  emit: (event: ProjectEvent) => void,
): Promise<BuildInputs> {
  const startedAt = Date.now();
  emit({ kind: 'loading', files, at: startedAt });
  const answer = await loader.load((manifest) => {
    const at = Date.now();
    emit({ kind: 'outlined', manifest, at, durationMs: at - startedAt });
  });
  const at = Date.now();
  emit({ ...answer, at, durationMs: at - startedAt });
  return loader.inputs();
}

/** Gives a function that loads, or where a load runs, asks for one more after it. It resolves when nothing is left to load, or another call sees to that. */
function createReload(
  load: (files: readonly string[]) => Promise<void>,
  filter: ChangeFilter,
): (files: readonly string[]) => Promise<void> {
  let isRunning = false;
  let waiting: string[] | undefined;
  return async (files) => {
    waiting = [...(waiting ?? []), ...files];
    if (isRunning) return;
    isRunning = true;
    while (waiting !== undefined) {
      const next: readonly string[] = [...new Set<string>(waiting)];
      waiting = undefined;
      filter.begin();
      await load(next);
      const late = filter.end();
      if (late.length > 0) waiting = [...(waiting ?? []), ...late];
    }
    isRunning = false;
  };
}
