import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** The files and folders that a path which is being typed may become, and the text that all of them go on with. */
export interface PathCompletion {
  readonly names: readonly string[];
  readonly added: string;
}

/**
 * Completes a path as a shell does: it is from `folder`, `~` is the user's folder. At once, since the keys that come next are for what it leads to.
 */
export function completePath(text: string, folder: string): PathCompletion {
  const at = text.lastIndexOf('/') + 1;
  const start = text.slice(at);
  const place = resolve(folder, text.slice(0, at).replace(/^~(?=\/)/, homedir()));
  const names = readEntries(place)
    .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted();
  const [first = '', last = ''] = [names[0], names.at(-1)];
  let length = start.length;
  while (length < first.length && first[length] === last[length]) length += 1;
  return { names, added: names.length === 0 ? '' : first.slice(start.length, length) };
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
