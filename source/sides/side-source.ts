import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CliError, createCliError } from '../cli/cli-error.ts';
import { findCommit, runGit } from './git/find-commit.ts';

/** A side of a comparison, as it was named. */
export type SideSource =
  | { readonly kind: 'config'; readonly label: string; readonly file: string }
  /** An OpenAPI document or a lock file. */
  | { readonly kind: 'file'; readonly label: string; readonly file: string }
  | { readonly kind: 'url'; readonly label: string; readonly url: string }
  | {
      readonly kind: 'ref';
      readonly label: string;
      readonly commit: string;
      /** The folder of the project at that commit, from the top of the repository. @default where it is now */
      readonly folder?: string | undefined;
    };

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
  if (existsSync(file) && !isFolder) return { kind: isDocument(file) ? 'file' : 'config', label, file };
  const commit = await findCommit(label, root);
  if (commit !== undefined) return { kind: 'ref', label, commit };
  const [, ref = '', folder = ''] = /^([^:]+):(.*)$/.exec(label) ?? [];
  const ofFolder = ref === '' ? undefined : await findCommit(ref, root);
  if (ofFolder !== undefined)
    return { kind: 'ref', label, commit: ofFolder, folder: folder.replace(/^\.?\/|\/$/g, '') };
  throw await toUnknownSide(label, { root, isFolder });
}

function isDocument(file: string): boolean {
  return ['.json', '.yaml', '.yml'].includes(extname(file).toLowerCase());
}

async function toUnknownSide(
  label: string,
  { root, isFolder }: { readonly root: string; readonly isFolder: boolean },
): Promise<CliError> {
  const toError = (hint?: string): CliError => createCliError('UnknownSide', { side: label }, { hint });
  if (isFolder) return toError(`${label} is a folder: name its capabilities file.`);
  const isShallow = await runGit(['rev-parse', '--is-shallow-repository'], root);
  const noRepository = 'No git repository is found here: name a file or a URL to compare with.';
  const noCommit = 'The repository has no commit yet: make the first one, and compare with it.';
  // It is compared with where nothing was named: to say that this name is unknown would not help.
  if (label === 'HEAD')
    return new CliError({ code: 'UnknownSide', message: isShallow === undefined ? noRepository : noCommit });
  if (isShallow === 'true')
    return toError(
      'The clone is shallow, so that it lacks other branches: `git fetch --unshallow`, or `fetch-depth: 0`.',
    );
  const hasCommit = isShallow === undefined || (await findCommit('HEAD', root)) !== undefined;
  return toError(hasCommit ? undefined : noCommit);
}
