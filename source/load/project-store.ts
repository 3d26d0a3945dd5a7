import type { CheckedOptions } from '../check/rules/load-checked-manifest.ts';
import { rememberManifest } from '../manifest/known-manifest.ts';
import { toProjectPath } from '../manifest/project.ts';
import { Store } from '../values/store.ts';
import { toEnvFiles } from './env-files.ts';
import { expectProject } from './expect-project.ts';
import { toImportFailure } from './load-failure.ts';
import type { LoadRegistryOptions } from './load-registry.ts';
import {
  initialProjectState,
  type ProjectEvent,
  type ProjectState,
  reduceProject,
} from './project-state.ts';
import { startProjectLoader } from './start-project-loader.ts';
import { WatchedCode } from './watched-code.ts';

export interface ProjectStoreOptions extends LoadRegistryOptions, CheckedOptions {}

/** A project that is loaded, and loaded again after every save, from `open` to `close`. */
export class ProjectStore extends Store {
  readonly #options: ProjectStoreOptions;
  #state = initialProjectState;
  #close: (() => void) | undefined;

  constructor(options: ProjectStoreOptions) {
    super();
    this.#options = options;
  }

  readonly state = (): ProjectState => this.#state;

  /** Begins to load it, where that has not begun. */
  open(): void {
    if (this.#close !== undefined) return;
    try {
      this.#close = this.#start();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      this.#take({ kind: 'missing', reason });
    }
  }

  close(): void {
    this.#close?.();
    this.#close = () => {};
    this.unwatch();
  }

  /** Loads and watches it. Gives the end of that. @throws CliError `NoProject`, `NoEnvFile` */
  #start(): () => void {
    const { hasSchemas, published } = this.#options;
    const project = expectProject(this.#options);
    const envFiles = toEnvFiles(project.root, this.#options);
    const load = async ({ files }: { readonly files: readonly string[] }): Promise<void> => {
      const startedAt = Date.now();
      const changed = files.map((file) => toProjectPath(file, project.root));
      this.#take({ kind: 'loading', files: changed });
      const result = await loader.load().catch((error: unknown) => {
        return { kind: 'failed', failure: toImportFailure(error, project, []) } as const;
      });
      const at = Date.now();
      this.#take({ ...result, at, durationMs: at - startedAt });
      if (result.kind !== 'loaded') return;
      // After it is drawn.
      setImmediate(() => void rememberManifest(result.manifest, hasSchemas === false));
    };
    const watched = new WatchedCode({
      project,
      envFiles,
      load,
      onTrouble: (trouble) => this.#take({ kind: 'watch-trouble', trouble }),
    });
    const { code } = watched;
    const loader = startProjectLoader(project, { hasSchemas, published, envFiles, code });
    void watched.watch();
    watched.load('start');
    return () => {
      loader.close();
      void watched.close();
    };
  }

  #take(event: ProjectEvent): void {
    this.#state = reduceProject(this.#state, event);
    this.changed();
  }
}
