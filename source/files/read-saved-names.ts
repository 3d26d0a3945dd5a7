import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export const CALLS_FOLDER = 'calls';

/**
 * The names of the saved calls of a project, whatever is in their files: `'items/create'` for
 * `calls/items/create.json`.
 */
export async function readSavedNames(root: string): Promise<readonly string[]> {
  const files = await readdir(join(root, CALLS_FOLDER), { recursive: true }).catch(
    (): string[] => [],
  );
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}
