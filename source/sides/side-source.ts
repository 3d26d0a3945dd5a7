import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CliError, createCliError } from '../cli/cli-error.ts';
import { findCommit, runGit } from './git/find-commit.ts';
import type { RefPlace } from './git/ref-copy.ts';

/** A side of a comparison, as it was named. A file is an OpenAPI document or a lock file. */
export type SideSource = { readonly label: string } & (
  | { readonly kind: 'config' | 'file'; readonly file: string }
  | { readonly kind: 'url'; readonly url: string }
  | ({ readonly kind: 'ref' } & RefPlace)
);

export interface SidePlace {
  /** Absolute path of the project that is compared. */
  readonly root: string;
  /** Absolute path that paths are relative to. */
  readonly workingDirectory: string;
}

/**
 * Finds what a side of a comparison names: a URL, a file, a git ref, or a folder of a ref, as `main:services/api`. A
 * folder that is called as a branch is passed over.
 *
 * @throws CliError `UnknownSide` where it is none of these
 */
export async function expectSideSource(label: string, { root, workingDirectory }: SidePlace): Promise<SideSource> {
  if (/^https?:\/\//i.test(label)) return { kind: 'url', label, url: label };
  const file = resolve(workingDirectory, label);
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  const isDocument = ['.json', '.yaml', '.yml'].includes(extname(file).toLowerCase());
  if (existsSync(file) && !isFolder) return { kind: isDocument ? 'file' : 'config', label, file };
  const commit = await findCommit(label, root);
  if (commit !== undefined) return { kind: 'ref', label, commit };
  const [, ref, folder = ''] = /^([^:]+):(.*)$/.exec(label) ?? [];
  const ofFolder = ref === undefined ? undefined : await findCommit(ref, root);
  if (ofFolder !== undefined)
    return { kind: 'ref', label, commit: ofFolder, folder: folder.replace(/^\.?\/|\/$/g, '') };
  const hint = isFolder ? `${label} is a folder: name its capabilities file.` : await findGitTrouble(root);
  // The last commit is compared with where nothing was named: to say that its name is unknown would not help.
  if (label === 'HEAD' && hint !== undefined) throw new CliError({ code: 'UnknownSide', message: hint });
  throw createCliError('UnknownSide', { side: label }, { hint });
}

/** Why git may know no ref. */
async function findGitTrouble(root: string): Promise<string | undefined> {
  const isShallow = await runGit(['rev-parse', '--is-shallow-repository'], root);
  if (isShallow === undefined) return 'No git repository is found here: name a file or a URL to compare with.';
  if (isShallow === 'true')
    return 'The clone is shallow, so that it lacks other branches: `git fetch --unshallow`, or `fetch-depth: 0`.';
  if ((await findCommit('HEAD', root)) !== undefined) return undefined;
  return 'The repository has no commit yet: make the first one, and compare with it.';
}
