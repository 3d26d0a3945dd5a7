import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { openFixture } from './fixture-project.ts';

/** A repository of the bookshop and a second working tree of it, which has the `node_modules` of the first by a link. */
export interface Worktree {
  /** Absolute paths. */
  readonly main: string;
  readonly linked: string;
}

/** Makes both with git, as people do who work on two branches at once. */
export async function openWorktree(): Promise<Worktree> {
  const { root, write } = await openFixture('bookshop');
  const main = join(root, 'main');
  const linked = join(root, 'linked');
  await mkdir(main);
  for (const name of ['src', 'package.json', 'node_modules'])
    await execa('mv', [join(root, name), main]);
  await write('main/.gitignore', 'node_modules\n');
  const git = (...args: readonly string[]) =>
    execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: main,
    });
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'First');
  await git('worktree', 'add', '--quiet', linked);
  await symlink(join(main, 'node_modules'), join(linked, 'node_modules'), 'junction');
  return { main, linked };
}
