import { readFile, rm } from 'node:fs/promises';
import { findCacheFile } from './find-cache-file.ts';
import { writeFileWhole } from './write-files.ts';

/** The last events of the `capix dev` that runs in a project, a JSON document a line, for other processes of this machine. */
const FILE = 'dev.jsonl';

export async function writeDevJournal(root: string, text: string): Promise<void> {
  const file = await findCacheFile(root, FILE);
  if (file !== undefined) await writeFileWhole(file, text);
}

/** The events in their order; none where nothing was written. */
export async function readDevJournal(root: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const file = await findCacheFile(root, FILE);
    const text = file === undefined ? '' : await readFile(file, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  } catch {
    return [];
  }
}

export async function removeDevJournal(root: string): Promise<void> {
  const file = await findCacheFile(root, FILE);
  if (file !== undefined) await rm(file, { force: true });
}
