import { resolve } from 'node:path';

/** Absolute path of the file that git writes to whenever HEAD moves, also while there is none; undefined without a repository or git. */
export async function findHeadLog(folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa('git', ['rev-parse', '--git-path', 'logs/HEAD'], {
    cwd: folder,
    reject: false,
  });
  return failed || typeof stdout !== 'string' ? undefined : resolve(folder, stdout.trim());
}
