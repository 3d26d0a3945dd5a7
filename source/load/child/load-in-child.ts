import type { ToManifestOptions } from '../../manifest/load-manifest.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Project } from '../../manifest/project.ts';
import { readVariables } from '../../system/read-variables.ts';
import { type BuildInputs, noInputs } from '../bundle/build-inputs.ts';
import { type BundleFolder, openBundleFolder } from '../bundle/bundle-folder.ts';
import { type BundledUserCode, toBundle } from '../bundle/bundle-user-code.ts';
import { createUserCodeBuilder, type UserCodeBuilder } from '../bundle/user-code-builder.ts';
import { type LoadFailure, toBuildFailure } from '../load-failure.ts';
import { createManifestUnpacker } from './packed-manifest.ts';
import { startLoaderChild } from './start-loader-child.ts';

export interface LoaderOptions extends ToManifestOptions {
  /** Absolute paths of env files, read anew for each load. */
  readonly envFiles?: readonly string[] | undefined;
}

/** Loads one project again and again, each time in a fresh process. */
export interface ProjectLoader {
  /**
   * Loads the files as they are now; of a large project the routes are there before the rest when it is first loaded. What has not changed
   * since the load before is the same object. One load at a time. Never rejects for what user code does.
   */
  readonly load: (onOutline?: (manifest: Manifest) => void) => Promise<LoadResult>;
  /** What the last load depends on, also where it failed. */
  readonly inputs: () => BuildInputs;
  /** Ends the processes; a load that runs is answered as failed. */
  readonly close: () => Promise<void>;
}

export type LoadResult = (
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }
) & {
  /** What the code printed while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
};

/**
 * Starts a loader for a command that stays open. Bundling is incremental, and the next process waits with everything imported, so that a
 * load takes little more than the user's own code. No stale module, no leak, no output and no crash of user code reaches this process.
 */
export async function startProjectLoader(
  project: Project,
  { envFiles = [], ...options }: LoaderOptions = {},
): Promise<ProjectLoader> {
  let spare = startLoaderChild();
  let isClosed = false;
  const unpacker = createManifestUnpacker();
  let folder: BundleFolder | undefined;
  let builder: UserCodeBuilder | undefined;
  return {
    load: async (onOutline) => {
      let bundle: BundledUserCode;
      try {
        folder ??= await openBundleFolder(project.root);
        builder ??= createUserCodeBuilder({
          entry: project.configFile,
          root: project.root,
          outFile: folder.toFile(),
        });
        bundle = await writeBundle(builder, { folder, root: project.root });
      } catch (error) {
        return { kind: 'failed', failure: toBuildFailure(error, project), output: '' };
      }
      const child = spare;
      const variables = readVariables(envFiles);
      try {
        const request = { project, bundle, variables, known: unpacker.known(), ...options };
        const answer = await child.load(request, (progress) => {
          if (progress.kind === 'part') unpacker.add(progress.part);
          else onOutline?.(progress.manifest);
        });
        return answer.kind === 'loaded' ? { ...answer, manifest: unpacker.unpack(answer.manifest) } : answer;
      } finally {
        child.end();
        if (!isClosed) {
          spare = startLoaderChild();
          void builder.prepare().catch(() => undefined);
        }
        await folder.remove(bundle.outFile);
      }
    },
    inputs: () => builder?.inputs() ?? noInputs,
    close: async () => {
      isClosed = true;
      spare.end();
      await builder?.close();
      await folder?.close();
    },
  };
}

async function writeBundle(
  builder: UserCodeBuilder,
  { folder, root }: { readonly folder: BundleFolder; readonly root: string },
): Promise<BundledUserCode> {
  const { outputFiles, metafile } = (await builder.build()).result;
  const outFile = await folder.write(outputFiles[0]?.contents ?? new Uint8Array());
  return toBundle(outFile, metafile, root);
}
