import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BuildResult } from 'esbuild';

/** A save in place empties the file before it writes; milliseconds after which an empty file is taken to be meant. */
const FILLED_MS = 1000;
const AGAIN_MS = 10;

/**
 * Builds what is on the disk, and once more where it read a file in the middle of a save: code that imports an empty module builds, and
 * fails when it runs, or lacks what the file declares.
 *
 * Gives the build and when it began to read, milliseconds since 1970.
 *
 * @throws esbuild's `BuildFailure`
 */
export async function rebuildSettled<Built extends { readonly result: BuildResult<{ metafile: true }> }>(
  rebuild: () => Promise<Built>,
  root: string,
): Promise<Built & { readonly builtAt: number }> {
  for (;;) {
    const builtAt = Date.now();
    const built = await rebuild();
    if (!(await readHalfSaved(built.result, root))) return { ...built, builtAt };
    await pause(AGAIN_MS);
  }
}

async function readHalfSaved({ metafile }: BuildResult<{ metafile: true }>, root: string): Promise<boolean> {
  const empty = Object.entries(metafile.inputs).filter(([, { bytes }]) => bytes === 0);
  const ages = await Promise.all(empty.map(([file]) => ageMs(resolve(root, file))));
  // A clock that was put back leaves files that are of tomorrow.
  return ages.some((age) => Math.abs(age) < FILLED_MS);
}

/** Milliseconds since the file was changed; a file that is gone is as old as can be. */
async function ageMs(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined ? Number.POSITIVE_INFINITY : Date.now() - stats.mtimeMs;
}
