import { join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { findCommit } from './git/find-commit.ts';
import { loadSide } from './load-sides.ts';

export interface HeadManifestOptions {
  /** Absolute path of the project; it has a `node_modules`. */
  readonly root: string;
  /** The capabilities file, relative to the project. */
  readonly config: string;
  /** Absolute paths of env files: the commit has none of its own. */
  readonly envFiles: readonly string[];
}

/**
 * The contract of the last commit. Undefined where there is not a commit, or its code cannot be loaded: it is an extra
 * that nobody asked for.
 */
export async function readHeadManifest({ root, config, envFiles }: HeadManifestOptions): Promise<Manifest | undefined> {
  try {
    const commit = await findCommit('HEAD', root);
    if (commit === undefined) return undefined;
    const project = { root, name: 'HEAD', entryFile: join(root, config) };
    const side = await loadSide({ kind: 'ref', label: 'HEAD', commit }, { project, toEnvFiles: () => envFiles });
    return side.manifest;
  } catch {
    return undefined;
  }
}
