import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { findRealPath, isInside } from '../system/paths.ts';

export interface InsideOptions {
  /** Absolute path of the folder that nothing may lead out of. */
  readonly folder: string;
  /** The folder's name for the user: `'the project'`. */
  readonly called: string;
  /** @default 'Make it a folder or file of its own, or run the command where it leads to.' */
  readonly hint?: string;
}

/**
 * Checks that no link on the way from a folder to files under it leads out of that folder. The files need not be there
 * yet.
 *
 * @throws CliError `LeadsOutside`, which names the link
 */
export function expectInside(files: readonly string[], options: InsideOptions): void {
  const realFolder = realpathSync(options.folder);
  for (const file of files) {
    const link = findLinkOut(relative(options.folder, file).split(sep), options.folder, realFolder);
    if (link === undefined) continue;
    const { path, leadsTo } = link;
    const where =
      leadsTo === undefined
        ? 'to nothing that is there'
        : `out of ${options.called}, to ${leadsTo}`;
    throw createCliError('LeadsOutside', { path, where }, { hint: options.hint });
  }
}

/** `leadsTo`: an absolute path; undefined where nothing is there. */
function findLinkOut(names: readonly string[], folder: string, realFolder: string) {
  for (let depth = 1; depth <= names.length; depth++) {
    const path = names.slice(0, depth).join('/');
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isSymbolicLink()) continue;
    const leadsTo = findRealPath(join(folder, path));
    if (leadsTo === undefined || !isInside(leadsTo, realFolder)) return { path, leadsTo };
  }
  return undefined;
}
