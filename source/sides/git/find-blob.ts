import { posix, relative } from 'node:path';
import type { LoadSideOptions } from '../side-options.ts';
import type { Ref } from './find-commit.ts';
import { findGitOutput, toGitEnvironment } from './run-git.ts';

/**
 * The bytes of a file at a commit, which is named from the top of the repository, or else from the working directory;
 * undefined where a folder, or nothing, has the name. Nothing of the commit runs.
 */
export async function findBlob(
  { commit, folder: path = '' }: Ref,
  { project: { root }, workingDirectory, signal }: Omit<LoadSideOptions, 'toEnvFiles'>,
): Promise<Buffer | undefined> {
  if (path === '') return undefined;
  const top = (await findGitOutput(['rev-parse', '--show-toplevel'], root)) ?? root;
  const here = posix.join(relative(top, workingDirectory).replaceAll('\\', '/'), path);
  for (const name of new Set([path, here])) {
    const object = `${commit}:${name}`;
    if ((await findGitOutput(['cat-file', '-t', object], root)) !== 'blob') continue;
    const { execa } = await import('execa');
    const { stdout } = await execa('git', ['cat-file', 'blob', object], {
      cwd: root,
      encoding: 'buffer',
      env: toGitEnvironment(),
      extendEnv: false,
      stripFinalNewline: false,
      ...(signal && { cancelSignal: signal }),
    });
    return Buffer.from(stdout);
  }
  return undefined;
}
