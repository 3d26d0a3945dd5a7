import type { Manifest } from '../manifest/manifest.ts';
import { toProjectPath } from '../manifest/project.ts';
import type { CheckedOptions } from '../rules/load-checked-manifest.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import { toEnvFiles } from './env-files.ts';
import { expectProject } from './expect-project.ts';
import { type LoadFailure, toImportFailure } from './load-failure.ts';
import type { LoadRegistryOptions } from './load-registry.ts';
import { startProjectLoader } from './start-project-loader.ts';
import { watchInputs } from './watch-inputs.ts';

/** The events of a project that is watched. `at`: milliseconds since 1970. */
export type ProjectEvent =
  | { readonly kind: 'loading'; readonly files: readonly string[]; readonly at: number }
  | ({ readonly kind: 'loaded'; readonly manifest: Manifest } & LoadTime)
  | ({ readonly kind: 'failed'; readonly failure: LoadFailure } & LoadTime)
  | { readonly kind: 'watch-trouble'; readonly trouble: WatchTrouble };

interface LoadTime {
  readonly durationMs: number;
  readonly at: number;
}

export interface WatchProjectOptions extends LoadRegistryOptions, CheckedOptions {}

type OnEvent = (event: ProjectEvent) => void;

/** A project that is loaded, and loaded again as `watchInputs` does. */
export class ProjectWatch {
  readonly #early: ProjectEvent[] = [];
  #onEvent: OnEvent = (event) => void this.#early.push(event);
  readonly #close: () => void;

  constructor(options: WatchProjectOptions) {
    const project = expectProject(options);
    const envFiles = toEnvFiles(project.root, options);
    const { hasSchemas, published } = options;
    const loader = startProjectLoader(project, { hasSchemas, published, envFiles });
    const load = async (files: readonly string[]): Promise<void> => {
      const startedAt = Date.now();
      this.#onEvent({
        kind: 'loading',
        files: files.map((file) => toProjectPath(file, project.root)),
        at: startedAt,
      });
      const result = await loader.load().catch((error: unknown) => {
        return { kind: 'failed', failure: toImportFailure(error, project, []) } as const;
      });
      const at = Date.now();
      this.#onEvent({ ...result, at, durationMs: at - startedAt });
    };
    const onTrouble = (trouble: WatchTrouble): void =>
      this.#onEvent({ kind: 'watch-trouble', trouble });
    const watch = watchInputs({ project, code: loader.code, load, onTrouble });
    this.#close = () => {
      loader.close();
      void watch.close();
    };
  }

  /** Gives the events so far, then each further one when it happens, until `close`. */
  follow(onEvent: OnEvent): void {
    this.#early.forEach(onEvent);
    this.#onEvent = onEvent;
  }

  close(): void {
    this.#onEvent = () => {};
    this.#close();
  }
}

let begun: { readonly key: string; readonly watch: ProjectWatch } | undefined;

/** Begins to load the project while its screen is imported, which takes as long. The screen asks by `watchProject`. */
export function watchAhead(options: WatchProjectOptions): void {
  try {
    begun = { key: toKey(options), watch: new ProjectWatch(options) };
  } catch {
    // The screen tries again.
  }
}

/** Watches a project, which `watchAhead` has perhaps begun. @throws CliError `NoProject`, `NoEnvFile` */
export function watchProject(options: WatchProjectOptions): ProjectWatch {
  const { key, watch } = begun ?? {};
  if (watch === undefined || key !== toKey(options)) return new ProjectWatch(options);
  begun = undefined;
  return watch;
}

function toKey({
  config,
  envFile,
  workingDirectory,
  hasSchemas,
  published,
}: WatchProjectOptions): string {
  return JSON.stringify([config, envFile, workingDirectory, hasSchemas, published]);
}
