import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { findCacheFile } from '../../files/find-cache-file.ts';
import { writeFileWhole } from '../../files/write-files.ts';

const FILE = 'accepted-breaks.json';

const schema = z.object({ commit: z.string(), ids: z.array(z.string()) });

/** The breaks that the user has accepted, by their `id`, and the commit until whose successor they are; it is empty where there was none. */
export type AcceptedBreaks = Readonly<z.output<typeof schema>>;

/** `root`: absolute path of the project. Undefined where nothing was accepted, or it cannot be read. */
export async function readAcceptedBreaks(root: string): Promise<AcceptedBreaks | undefined> {
  try {
    const file = await findCacheFile(root, FILE);
    return file === undefined ? undefined : schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Keeps them in the project's `node_modules/.cache`; where there is none, until `capix` ends. */
export async function writeAcceptedBreaks(root: string, accepted: AcceptedBreaks): Promise<void> {
  const file = await findCacheFile(root, FILE);
  if (file !== undefined) await writeFileWhole(file, `${JSON.stringify(accepted)}\n`);
}
