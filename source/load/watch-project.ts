import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { toProjectPath } from '../manifest/project.ts';
import type { ToManifestOptions } from '../manifest/to-manifest.ts';
import { watchFiles } from '../system/watch-files.ts';
import { type ProjectLoader, startProjectLoader } from './child/load-in-child.ts';
import { findProject } from './find-project.ts';
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
    };

export interface WatchProjectOptions extends LoadRegistryOptions, ToManifestOptions {
  readonly onEvent: (event: ProjectEvent) => void;
}

export interface ProjectWatch {
  readonly close: () => Promise<void>;
}

/**
 * Loads a project and loads it again after every save, also of a new file, an import that was missing, `package.json` and `tsconfig.json`.
 * A save during a load is loaded after it, so the last save wins. No event comes after `close`.
 *
 * @throws CliError `NoProject`
 */
export async function watchProject(options: WatchProjectOptions): Promise<ProjectWatch> {
  const project = findProject(options);
  const { detail, document, onEvent } = options;
  let isClosed = false;
  const emit = (event: ProjectEvent): void => {
    if (!isClosed) onEvent(event);
  };
  const starting = startProjectLoader(project, { ...(detail === undefined ? {} : { detail }), document });
  const reload = toReload(starting, emit);
  const recheck = toRecheck((files) => void run(files));
  const run = async (files: readonly string[]): Promise<void> => {
    if (isClosed) return;
    const startedAt = Date.now();
    const manifest = await reload(files.map((file) => toProjectPath(file, project.root)));
    if (manifest === undefined || isClosed) return;
    (await watching).add(manifest.files);
    recheck.plan(manifest.files, startedAt);
  };
  const watching = watchFiles({
    root: project.root,
    folder: dirname(project.configFile),
    onChange: (files) => void run(files),
  });
  // Loading need not wait for the watcher: what is saved in between is looked for after the load.
  void run([]);
  const [watcher, loader] = await Promise.all([watching, starting]);
  return {
    close: async () => {
      isClosed = true;
      recheck.cancel();
      await Promise.all([watcher.close(), loader.close()]);
    },
  };
}

/** By then the watcher sees what it was given last. */
const RECHECK_MS = 250;

/** Looks once more at files that the watcher may not have seen yet when they were saved. */
function toRecheck(onChange: (files: readonly string[]) => void) {
  const known = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  return {
    plan: (files: readonly string[], loadedAt: number): void => {
      const added = files.filter((file) => !known.has(file));
      for (const file of added) known.add(file);
      if (added.length === 0) return;
      timer = setTimeout(() => {
        const changed = added.filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > loadedAt);
        if (changed.length > 0) onChange(changed);
      }, RECHECK_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Gives a function that loads, or where a load runs, asks for one more after it. It resolves with what its own load gave. */
function toReload(
  starting: Promise<ProjectLoader>,
  emit: (event: ProjectEvent) => void,
): (files: readonly string[]) => Promise<Manifest | undefined> {
  let running: Promise<Manifest | undefined> | undefined;
  let waiting: string[] | undefined;
  const loadOnce = async (files: readonly string[]): Promise<Manifest | undefined> => {
    const startedAt = Date.now();
    emit({ kind: 'loading', files, at: startedAt });
    const answer = await (await starting).load((manifest) => {
      const at = Date.now();
      emit({ kind: 'outlined', manifest, at, durationMs: at - startedAt });
    });
    const at = Date.now();
    emit({ ...answer, at, durationMs: at - startedAt });
    return answer.kind === 'loaded' ? answer.manifest : undefined;
  };
  return async (files) => {
    if (running !== undefined) {
      waiting = [...(waiting ?? []), ...files];
      return undefined;
    }
    running = loadOnce(files);
    let manifest = await running;
    while (waiting !== undefined) {
      const next = [...new Set<string>(waiting)];
      waiting = undefined;
      running = loadOnce(next);
      manifest = (await running) ?? manifest;
    }
    running = undefined;
    return manifest;
  };
}
