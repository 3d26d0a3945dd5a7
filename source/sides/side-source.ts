import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { findCommit } from './git/find-commit.ts';

/** A side of a comparison, as it was named. */
export type SideSource =
  | { readonly kind: 'config'; readonly label: string; readonly file: string }
  /** An OpenAPI document or a lock file. */
  | { readonly kind: 'file'; readonly label: string; readonly file: string }
  | { readonly kind: 'url'; readonly label: string; readonly url: string }
  | { readonly kind: 'ref'; readonly label: string; readonly commit: string };

export interface SidePlace {
  /** Absolute path of the project that is compared. */
  readonly root: string;
  /** Absolute path that paths are relative to. */
  readonly workingDirectory: string;
}

/**
 * Finds what a side of a comparison names: a URL, a file, else a git ref.
 *
 * @throws CliError `UnknownSide` where it is none of these
 */
export async function loadSideSource(label: string, { root, workingDirectory }: SidePlace): Promise<SideSource> {
  if (/^https?:\/\//i.test(label)) return { kind: 'url', label, url: label };
  const file = resolve(workingDirectory, label);
  if (existsSync(file)) return { kind: isDocument(file) ? 'file' : 'config', label, file };
  const commit = await findCommit(label, root);
  if (commit === undefined) throw createCliError('UnknownSide', { side: label });
  return { kind: 'ref', label, commit };
}

function isDocument(file: string): boolean {
  return ['.json', '.yaml', '.yml'].includes(extname(file).toLowerCase());
}
