import { readFile } from 'node:fs/promises';
import { findCacheFile } from './find-cache-file.ts';
import { writeFileWhole } from './write-files.ts';

const FILE = 'drafts.json';
/** The number of capabilities that have a draft. */
const MAX_DRAFTS = 100;
/** Characters of one draft. */
const MAX_LENGTH = 1_000_000;

/** The form of a capability as it was when the tool ended; undefined where nothing was filled in, or it cannot be read. */
export async function readCallDraft(root: string, key: string): Promise<unknown> {
  return (await readDrafts(root)).find(([name]) => name === key)?.[1];
}

/** One write after the other, since each begins with what the one before has left. */
let writing: Promise<void> = Promise.resolve();

/**
 * Keeps what is being filled in for a capability in the project's `node_modules/.cache`; an undefined one is forgotten. Without `node_modules`,
 * or where they are another user's, nothing is kept.
 */
export function writeCallDraft(root: string, key: string, draft: unknown): Promise<void> {
  writing = writing.then(async () => {
    const file = await findCacheFile(root, FILE);
    if (file === undefined || (JSON.stringify(draft) ?? '').length > MAX_LENGTH) return;
    const others = (await readDrafts(root)).filter(([name]) => name !== key);
    const drafts = draft === undefined ? others : [[key, draft] as const, ...others].slice(0, MAX_DRAFTS);
    await writeFileWhole(file, `${JSON.stringify(Object.fromEntries(drafts))}\n`).catch(() => {});
  });
  return writing;
}

async function readDrafts(root: string): Promise<readonly (readonly [key: string, draft: unknown])[]> {
  try {
    const file = await findCacheFile(root, FILE);
    const drafts = file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as unknown);
    return typeof drafts === 'object' && drafts !== null ? Object.entries(drafts) : [];
  } catch {
    return [];
  }
}
