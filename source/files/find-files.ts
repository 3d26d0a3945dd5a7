import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_DEPTH = 5;

/** The absolute paths of files of a folder and those below it. Folders of others are passed over, and hidden ones. */
export async function findFiles(
  folder: string,
  isWanted: (name: string) => boolean,
  depth = 0,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && isWanted(entry.name));
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !/^(\.|(node_modules|dist|build|coverage)$)/.test(entry.name),
  );
  const below =
    depth < MAX_DEPTH
      ? folders.map(({ name }) => findFiles(join(folder, name), isWanted, depth + 1))
      : [];
  return [...files.map(({ name }) => join(folder, name)), ...(await Promise.all(below)).flat()];
}
