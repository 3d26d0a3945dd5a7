import { resolve } from 'node:path';
import { runGit } from './find-commit.ts';

/**
 * Absolute path of the file that git writes to whenever HEAD moves, also while there is none; undefined without a
 * repository or git.
 */
export async function findHeadLog(folder: string): Promise<string | undefined> {
  const path = await runGit(['rev-parse', '--git-path', 'logs/HEAD'], folder);
  return path && resolve(folder, path);
}
