import { readFile } from 'node:fs/promises';
import { findCacheFile } from './find-cache-file.ts';
import { writeFileWhole } from './write-files.ts';

const FILE = 'pins.json';

/** The keys of the capabilities that the user has pinned in a project, in that order; none where they cannot be read. */
export async function readPinnedKeys(root: string): Promise<readonly string[]> {
  try {
    const file = await findCacheFile(root, FILE);
    const keys = file === undefined ? [] : (JSON.parse(await readFile(file, 'utf8')) as unknown);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps them in the project's `node_modules/.cache`; where there is none, until `capix` ends. */
export async function writePinnedKeys(root: string, keys: readonly string[]): Promise<void> {
  const file = await findCacheFile(root, FILE);
  if (file !== undefined) await writeFileWhole(file, `${JSON.stringify(keys)}\n`);
}
