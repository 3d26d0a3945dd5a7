import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SeenChange } from '../../system/watch/gather-changes.ts';
import type { WatchedGlob } from '../../system/watch/watched-places.ts';

/** Files that the code reads and does not import. */
export interface ReadFiles {
  /** Whether a file is one, by its absolute path. */
  readonly has: (file: string) => boolean;
  /** Remembers those that change. */
  readonly take: (changes: readonly SeenChange[]) => void;
  /** The same while what has changed is the same: what is in each, by its absolute path. */
  readonly describe: () => Promise<readonly (readonly [file: string, hash: string])[]>;
}

/** `envFiles` set variables, which are known otherwise: absolute paths. */
export function createReadFiles({
  envFiles,
  globs,
}: {
  readonly envFiles: readonly string[];
  readonly globs: readonly WatchedGlob[];
}): ReadFiles {
  const changed = new Set<string>();
  const isMatched = (file: string): boolean => globs.some(({ matches }) => matches(file));
  return {
    has: (file) => envFiles.includes(file) || isMatched(file),
    take: (changes) => {
      for (const { file } of changes) if (isMatched(file)) changed.add(file);
    },
    describe: () => Promise.all([...changed].map(async (file) => [file, await toHash(file)] as const)),
  };
}

async function toHash(file: string): Promise<string> {
  const content = await readFile(file).catch(() => undefined);
  return content === undefined ? '' : createHash('sha1').update(content).digest('hex');
}
