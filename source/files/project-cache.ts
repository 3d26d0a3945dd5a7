import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findWithPackages } from '../system/paths.ts';
import { attempt } from '../values/attempt.ts';
import { writeFiles } from './write-files.ts';

/**
 * The files in which the tool remembers something of a project, by the project's root and a name. They lie in its
 * `node_modules/.cache/capix/`, or in that of a folder above; without a `node_modules` nothing is remembered.
 */
export async function readCache(root: string, name: string): Promise<string | undefined> {
  const file = await findCacheFile(root, name);
  return file === undefined ? undefined : readFile(file, 'utf8').catch(() => undefined);
}

/** As `readCache`, of JSON; undefined also for what is none. */
export async function readJsonCache(root: string, name: string): Promise<unknown> {
  const text = await readCache(root, name);
  return attempt(() => JSON.parse(text ?? '') as unknown);
}

/** The names of the files in a folder of them, as `readCache` takes them; none where there is no such folder. */
export async function listCache(root: string, folder: string): Promise<readonly string[]> {
  const place = await findCacheFile(root, folder);
  const names = place === undefined ? [] : await readdir(place).catch(() => []);
  return names.map((name) => `${folder}/${name}`);
}

export async function writeCache(root: string, name: string, text: string): Promise<void> {
  const file = await findCacheFile(root, name);
  // It holds what was called and printed, which is not for other users of the machine.
  if (file !== undefined) await writeFiles([{ file, text, mode: 0o600 }]);
}

export async function removeCache(root: string, name: string): Promise<void> {
  const file = await findCacheFile(root, name);
  if (file !== undefined) await rm(file, { force: true });
}

/** Projects that share a `node_modules`, by a link as worktrees of a repository do, have a folder each. */
async function findCacheFile(root: string, name: string): Promise<string | undefined> {
  try {
    const ownRoot = await realpath(root);
    const modules = await realpath(join(findWithPackages(ownRoot) ?? ownRoot, 'node_modules'));
    const isShared = modules !== join(ownRoot, 'node_modules');
    const folder = isShared ? createHash('sha256').update(ownRoot).digest('hex').slice(0, 16) : '';
    return join(modules, '.cache', 'capix', folder, name);
  } catch {
    return undefined;
  }
}
