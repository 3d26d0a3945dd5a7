import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BuildFailure } from 'esbuild';
import { findStats } from '../../system/watch/find-stats.ts';
import { loadEsbuild } from '../bundle/load-esbuild.ts';

/** Knows which files have a top-level `await`, and looks only into those that changed. */
export interface WaitingFiles {
  /** Gives absolute paths. Files that cannot be parsed are left out. */
  readonly find: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** `root`: absolute path of the project. */
export function createWaitingFiles(root: string): WaitingFiles {
  const known = new Map<string, { readonly time: string; readonly waits: boolean }>();
  return {
    find: async (paths) => {
      const times = new Map(paths.map((path) => [path, toTime(path)]));
      const changed = paths.filter((path) => known.get(path)?.time !== times.get(path));
      const waiting = await findAmong(changed, root);
      for (const path of changed) known.set(path, { time: times.get(path) ?? '', waits: waiting.has(path) });
      return new Set(paths.filter((path) => known.get(path)?.waits));
    },
  };
}

/** The same while the file is not changed. */
export function toTime(path: string): string {
  const stats = findStats(path);
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

/**
 * CommonJS cannot wait: esbuild refuses to make it of such a file, and says which ones these are. Only files that say the word are asked about:
 * the question costs as much as another build.
 */
async function findAmong(changed: readonly string[], root: string): Promise<ReadonlySet<string>> {
  const paths = changed.filter(saysAwait);
  if (paths.length === 0) return new Set();
  const { build } = await loadEsbuild();
  try {
    await build({
      absWorkingDir: root,
      entryPoints: paths.map((path, index) => ({ in: path, out: `${index}` })),
      bundle: false,
      format: 'cjs',
      outdir: root,
      write: false,
      logLevel: 'silent',
      logLimit: 0,
    });
    return new Set();
  } catch (thrown) {
    const errors = (thrown as Partial<BuildFailure>).errors ?? [];
    const waiting = errors.filter(({ text }) => text.startsWith('Top-level await'));
    return new Set(waiting.flatMap(({ location }) => (location === null ? [] : resolve(root, location.file))));
  }
}

/** A keyword cannot be written with escapes. */
function saysAwait(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('await');
  } catch {
    return true;
  }
}
