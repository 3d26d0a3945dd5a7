import { realpath } from 'node:fs/promises';
import { posix, relative } from 'node:path';
import type { Ref } from './find-commit.ts';
import { findGitOutput, toGitEnvironment } from './run-git.ts';

interface BlobOptions {
  readonly project: { readonly root: string };
  /** Absolute path. */
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
}

/** A file of a commit, as git has it. */
export interface CommittedFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Absolute path of the top of the repository. */
  readonly top: string;
  /** Reads another file of the commit; undefined where there is none. */
  readonly readOther: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * Finds a file of a commit, which is named from the top of the repository, or else from the working directory;
 * undefined where a folder, or nothing, has the name. Nothing of the commit runs.
 */
export async function findBlob(
  { commit, folder: path = '' }: Ref,
  { project: { root }, workingDirectory, signal }: BlobOptions,
): Promise<CommittedFile | undefined> {
  if (path === '') return undefined;
  const top = (await findGitOutput(['rev-parse', '--show-toplevel'], root)) ?? root;
  const from = relative(top, await realpath(workingDirectory)).replaceAll('\\', '/');
  const read = (name: string) => readBlob(`${commit}:${name}`, root, signal);
  for (const name of new Set([path, posix.join(from, path)])) {
    const bytes = await read(name);
    if (bytes !== undefined) return { path: name, bytes, top, readOther: read };
  }
  return undefined;
}

/** The bytes of what git names so; undefined where that is not a file. */
async function readBlob(
  name: string,
  root: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if ((await findGitOutput(['cat-file', '-t', name], root)) !== 'blob') return undefined;
  const { execa } = await import('execa');
  const { stdout } = await execa('git', ['cat-file', 'blob', name], {
    cwd: root,
    encoding: 'buffer',
    env: toGitEnvironment(),
    extendEnv: false,
    stripFinalNewline: false,
    ...(signal && { cancelSignal: signal }),
  });
  return stdout;
}
