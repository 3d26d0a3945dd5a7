import type { BuildContext, BuildResult } from 'esbuild';
import { toTime } from '../modules/waiting-files.ts';
import { type BuildInputs, noInputs, toFailedInputs } from './build-inputs.ts';
import { toSourceFiles } from './bundle-user-code.ts';
import { findBuildSettings } from './find-build-settings.ts';
import { loadEsbuild } from './load-esbuild.ts';
import { findPatternImports, withFoundImports } from './patterns/with-found-imports.ts';
import {
  buildOnce,
  type PrepareQuickBuild,
  prepareQuickBuild,
  type QuickBuild,
  type QuickResult,
  type WholeBuild,
} from './quick/quick-build.ts';
import { rebuildSettled } from './rebuild-settled.ts';
import { userCodeBuildOptions } from './user-code-build-options.ts';
import { noFacts, userCodePlugin } from './user-code-plugin.ts';

export type BuiltUserCode = BuildResult<{ write: false; metafile: true }>;

export interface BuildOfUserCode extends QuickResult {
  /** When it began to read the files, milliseconds since 1970. */
  readonly builtAt: number;
}

/** Bundles user code again and again; only what changed is read anew. */
export interface UserCodeBuilder {
  /**
   * @throws esbuild's `BuildFailure`
   */
  readonly build: () => Promise<BuildOfUserCode>;
  /** Makes the next build a quick one, where it can be. For a time when nobody waits; a build that comes meanwhile is a whole one. */
  readonly prepare: () => Promise<void>;
  /** The same files as one module, where a build has given no code; undefined where they have changed since, or it cannot be the same. */
  readonly merge: (built: BuildOfUserCode) => Promise<BuildOfUserCode | undefined>;
  /** The inputs of the last build, also where it failed. */
  readonly inputs: () => BuildInputs;
  readonly close: () => Promise<void>;
}

export interface UserCodeBuilderOptions {
  /** Absolute path of the file to load. */
  readonly entry: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute path of a file in the folder that the bundles are written to: the names of their sources are relative to it. */
  readonly outFile: string;
  /** @default quick builds of the whole bundle */
  readonly prepareQuick?: PrepareQuickBuild | undefined;
}

export function createUserCodeBuilder({
  entry,
  root,
  outFile,
  prepareQuick = prepareQuickBuild,
}: UserCodeBuilderOptions): UserCodeBuilder {
  let facts = noFacts;
  let inputs = noInputs;
  const plugin = userCodePlugin((found) => {
    facts = found;
  });
  const options = { ...userCodeBuildOptions({ entry, root, outFile }), plugins: [plugin], write: false as const };
  let opened: Promise<BuildContext<typeof options>> | undefined;
  let whole: WholeBuild | undefined;
  let newest: BuiltUserCode | undefined;
  let quick: QuickBuild | undefined;

  async function buildWhole(): Promise<QuickResult> {
    const builtAt = Date.now();
    opened ??= loadEsbuild().then(({ context }) => context(options));
    const result = withFoundImports(await (await opened).rebuild());
    void quick?.dispose();
    quick = undefined;
    whole = { root, options, result, facts, builtAt };
    newest = result;
    return { result, facts };
  }

  return {
    build: async () => {
      try {
        const built = await rebuildSettled(async () => (await quick?.build()) ?? (await buildWhole()), root);
        const files = toSourceFiles(built.result.metafile, root);
        facts = built.facts;
        const missing = findPatternImports(built.result.metafile, root);
        inputs = { files: new Set(files), settings: new Set(findBuildSettings(files, root)), missing };
        return built;
      } catch (error) {
        inputs = toFailedInputs(error, { root, entry, read: facts.readFiles });
        throw error;
      }
    },
    inputs: () => inputs,
    merge: (built) => mergeFiles({ ...built, root, options }),
    prepare: async () => {
      const from = whole;
      whole = undefined;
      if (from === undefined) return;
      const prepared = await prepareQuick(from);
      if (from.result !== newest) return prepared?.dispose();
      quick = prepared;
      // Quick builds that need no context of their own need this one no more.
      if (prepared === undefined || prepared.needsContext) return;
      const before = opened;
      opened = undefined;
      await before?.then((context) => context.dispose());
    },
    close: async () => {
      newest = undefined;
      await Promise.all([quick?.dispose(), opened?.then((context) => context.dispose())]);
    },
  };
}

async function mergeFiles(built: BuildOfUserCode & WholeBuild): Promise<BuildOfUserCode | undefined> {
  const result = await buildOnce(built);
  const areSame = [...(built.times ?? [])].every(([path, time]) => toTime(path) === time);
  return result !== undefined && areSame ? { ...built, result } : undefined;
}
