import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Absolute path of a file in which the tool remembers something of a project, in its `node_modules/.cache/capix/`; undefined without a
 * `node_modules`. Projects that share one by a link (worktrees of a repository do) have a folder each.
 */
export async function findCacheFile(root: string, name: string): Promise<string | undefined> {
  try {
    const [ownRoot, modules] = await Promise.all([realpath(root), realpath(join(root, 'node_modules'))]);
    const isShared = modules !== join(ownRoot, 'node_modules');
    const folder = isShared ? createHash('sha256').update(ownRoot).digest('hex').slice(0, 16) : '';
    return join(modules, '.cache', 'capix', folder, name);
  } catch {
    return undefined;
  }
}
