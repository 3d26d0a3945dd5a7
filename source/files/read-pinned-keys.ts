import { readFile } from 'node:fs/promises';
import { findCacheFile } from './find-cache-file.ts';
import { writeFileWhole } from './write-files.ts';

const FILE = 'pins.json';

/** The keys of projects where they cannot be written, by the absolute path of the project: kept until `capix` ends. */
const unwritten = new Map<string, readonly string[]>();

/** The keys of the capabilities that the user has pinned in a project, in that order; none where they cannot be read. */
export async function readPinnedKeys(root: string): Promise<readonly string[]> {
  const kept = unwritten.get(root);
  if (kept !== undefined) return kept;
  try {
    const file = await findCacheFile(root, FILE);
    const keys = file === undefined ? [] : (JSON.parse(await readFile(file, 'utf8')) as unknown);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

let writing: Promise<unknown> = Promise.resolve();

/**
 * Pins a capability after the others, or no longer, as the project's `node_modules/.cache` has them by then: they may not have been read yet, and
 * another window may have changed them. Gives the keys that are pinned now. Where they cannot be written, they are kept until `capix` ends.
 */
export function togglePinnedKey(root: string, key: string): Promise<readonly string[]> {
  const toggled = writing.then(async () => {
    const before = await readPinnedKeys(root);
    const after = before.includes(key) ? before.filter((other) => other !== key) : [...before, key];
    const file = await findCacheFile(root, FILE);
    const isWritten = file !== undefined && (await tryToWrite(file, `${JSON.stringify(after)}\n`));
    if (isWritten) unwritten.delete(root);
    else unwritten.set(root, after);
    return after;
  });
  writing = toggled;
  return toggled;
}

/** Gives whether it could be written. */
function tryToWrite(file: string, text: string): Promise<boolean> {
  return writeFileWhole(file, text).then(
    () => true,
    () => false,
  );
}
