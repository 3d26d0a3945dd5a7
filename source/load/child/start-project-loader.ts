import type { ToManifestOptions } from '../../manifest/load-manifest.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Project } from '../../manifest/project.ts';
import { readVariables } from '../../system/read-variables.ts';
import { type BuildInputs, findInstallTimes } from '../bundle/build-inputs.ts';
import { createServerBundler, LARGE_BYTES } from '../bundle/server-bundler.ts';
import type { LoadFailure } from '../load-failure.ts';
import { createLoaderChildren } from './create-loader-children.ts';
import type { LoadRequest } from './load-request.ts';
import { createManifestUnpacker } from './packed-manifest.ts';
import type { LoaderChild } from './start-loader-child.ts';

export interface LoaderOptions extends ToManifestOptions {
  /** Absolute paths of env files, read anew for each load. */
  readonly envFiles?: readonly string[] | undefined;
  /**
   * Whether the process that waits for the next load imports what only declares ahead: of a large project a save is loaded much sooner, for as much
   * memory as the code takes. @default false
   */
  readonly warms?: boolean | undefined;
}

/** The time that a screen has to draw what was loaded, before the next load is prepared, milliseconds. */
const DRAWN_MS = 100;

/** Loads one project again and again, each time in a fresh process. */
export interface ProjectLoader {
  /**
   * Loads the files as they are now; of a large project the routes are there before the rest when it is first loaded. What has not changed
   * since the load before is the same object. One load at a time. Never rejects for what user code does.
   */
  readonly load: (onOutline?: OnOutline) => Promise<LoadResult>;
  /** As `load`, but code that was loaded last is not loaded again: then the result is undefined. */
  readonly loadOther: (onOutline?: OnOutline) => Promise<LoadResult | undefined>;
  /** The files that the last load depends on, also where it failed. */
  readonly inputs: () => BuildInputs;
  /** Ends the processes; a load that runs is answered as failed. */
  readonly close: () => Promise<void>;
}

export type OnOutline = (manifest: Manifest) => void;

export type LoadResult = (
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | {
      readonly kind: 'failed';
      readonly failure: LoadFailure;
      /** Whether the disk had no space for the code. @default false */
      readonly isDiskFull?: boolean | undefined;
    }
) & {
  /** The output of the code while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
};

/**
 * Starts a loader for a command that stays open. Bundling is incremental, and the next process waits with everything imported, so that a
 * load takes little more than the user's own code. No stale module, no leak, no output and no crash of user code reaches this process.
 */
export async function startProjectLoader(
  project: Project,
  { envFiles = [], warms = false, ...options }: LoaderOptions = {},
): Promise<ProjectLoader> {
  const children = createLoaderChildren();
  let isClosed = false;
  const unpacker = createManifestUnpacker();
  // The memory that esbuild takes to bundle a large project again would be kept as long as a screen is open.
  const bundler = createServerBundler(project, { modulesFromBytes: LARGE_BYTES });
  let lastCode: string | undefined;
  let preparing: NodeJS.Timeout | undefined;

  async function run(request: Omit<LoadRequest, 'known'>, onOutline?: OnOutline): Promise<LoadResult> {
    clearTimeout(preparing);
    try {
      const answer = await children.load({ ...request, known: unpacker.known() }, (progress) => {
        if (progress.kind === 'part') unpacker.add(progress.part);
        if (progress.kind === 'outlined') onOutline?.(progress.manifest);
      });
      return answer.kind === 'loaded' ? { ...answer, manifest: unpacker.unpack(answer.manifest) } : answer;
    } finally {
      if (!isClosed) preparing = setTimeout(() => prepareNext(children.current()), DRAWN_MS).unref();
    }
  }

  function prepareNext(child: LoaderChild): void {
    void bundler.prepare().then((modules) => warms && child.warm({ project, modules }));
  }

  async function load(mayBeSame: boolean, onOutline?: OnOutline): Promise<LoadResult | undefined> {
    const bundle = await bundler.bundle();
    if (bundle.kind === 'failed') {
      lastCode = undefined; // Whoever was told of the failure has to be told of the code that was loaded before it, too.
      return { ...bundle, output: '' };
    }
    const variables = readVariables(envFiles);
    const code = JSON.stringify([bundle.hash, variables, findInstallTimes(bundler.inputs())]);
    const isSame = mayBeSame && code === lastCode;
    lastCode = code;
    const { outFile, files, isCommonJs } = bundle;
    const request = { project, bundle: { outFile, files, isCommonJs }, variables, ...options };
    try {
      return isSame ? undefined : await run(request, onOutline);
    } finally {
      await bundle.remove();
    }
  }

  return {
    load: async (onOutline) => (await load(false, onOutline)) as LoadResult,
    loadOther: (onOutline) => load(true, onOutline),
    inputs: bundler.inputs,
    close: async () => {
      isClosed = true;
      clearTimeout(preparing);
      children.end();
      await bundler.close();
    },
  };
}
