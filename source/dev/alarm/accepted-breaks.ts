import * as z from 'zod';
import { readJsonCache, writeCache } from '../../files/project-cache.ts';

const FILE = 'accepted-breaks.json';

const schema = z.object({ commit: z.string(), ids: z.array(z.string()) });

/**
 * The breaks that the user has accepted, by their `id`, and the commit until whose successor they are; it is empty
 * where there was none.
 */
export type AcceptedBreaks = Readonly<z.output<typeof schema>>;

/** `root`: absolute path of the project. Undefined where nothing was accepted, or it cannot be read. */
export async function readAcceptedBreaks(root: string): Promise<AcceptedBreaks | undefined> {
  return schema.safeParse(await readJsonCache(root, FILE)).data;
}

/** Keeps them in the project's `node_modules/.cache`; where there is none, until `capix` ends. */
export function writeAcceptedBreaks(root: string, accepted: AcceptedBreaks): Promise<void> {
  return writeCache(root, FILE, `${JSON.stringify(accepted)}\n`);
}
