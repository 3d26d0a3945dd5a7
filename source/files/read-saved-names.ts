import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../system/paths.ts';

export const CALLS_FOLDER = 'calls';

/** The `user-agent` of the saved calls that `capix dev` makes: it does not show their requests. */
export const SAVED_CALLER = 'capix dev (saved call)';

/**
 * The names of the saved calls of a project, whatever is in their files: `'items/create'` for
 * `calls/items/create.json`. A link to a folder counts where that lies in the project, and each folder counts once.
 */
export async function readSavedNames(root: string): Promise<readonly string[]> {
  const names: string[] = [];
  const seen = new Set<string>();
  const folders = [''];
  /** They come last, so that the calls of a folder have its own name. */
  const links: string[] = [];
  let folder = folders.pop();
  while (folder !== undefined) {
    const path = join(root, CALLS_FOLDER, folder);
    if (await isNewFolder(path, { root, seen }))
      for (const entry of await readdir(path, { withFileTypes: true })) {
        const name = `${folder}${entry.name}`;
        if (entry.isDirectory()) folders.push(`${name}/`);
        else if (name.endsWith('.json')) names.push(name.slice(0, -'.json'.length));
        else if (entry.isSymbolicLink()) links.push(`${name}/`);
      }
    folder = folders.pop() ?? links.pop();
  }
  return names.toSorted();
}

interface Walk {
  readonly root: string;
  /** The folders that have been read, by their paths without links. */
  readonly seen: Set<string>;
}

/** Whether a folder is there, in the project, and not yet read. */
async function isNewFolder(path: string, { root, seen }: Walk): Promise<boolean> {
  const place = await realpath(path).catch(() => undefined);
  if (place === undefined || seen.has(place) || !isInside(place, await realpath(root)))
    return false;
  seen.add(place);
  return true;
}
