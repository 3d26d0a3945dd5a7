import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findGitOutput } from './run-git.ts';

/**
 * Gives a reader of a text that is another one after each commit, checkout and reset in the repository around a folder.
 * It reads three small files and starts no git, so that it may run each second. Undefined where there is no repository.
 */
export async function createHeadStamp(
  folder: string,
): Promise<(() => Promise<string>) | undefined> {
  const output = await findGitOutput(['rev-parse', '--git-dir', '--git-common-dir'], folder);
  const [own, common] = output?.split('\n').map((path) => resolve(folder, path)) ?? [];
  if (own === undefined || common === undefined) return undefined;
  return async () => {
    const head = await readText(join(own, 'HEAD'));
    const ref = /^ref: (?<ref>\S+)$/m.exec(head)?.groups?.['ref'];
    const commit = ref === undefined ? '' : await readText(join(common, ref));
    const tables = await Promise.all(
      ['packed-refs', 'reftable/tables.list'].map((name) => readTime(join(common, name))),
    );
    return [head, commit, ...tables].join(' ');
  };
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function readTime(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
