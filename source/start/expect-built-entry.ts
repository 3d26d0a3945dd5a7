import { dirname, join, resolve } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { findPackageRoot } from '../load/expect-project.ts';
import { findStats } from '../system/watch/find-stats.ts';

const DEFAULT_ENTRY = 'dist/server.js';

export interface BuiltEntry {
  /** The absolute path of the file that starts the server. */
  readonly file: string;
  /** The root of its project. */
  readonly root: string;
}

/**
 * Finds the built file that starts a server, relative to the working directory; by default `dist/server.js` of the project around it.
 *
 * @throws CliError `NoEntry` where the file is missing
 */
export function expectBuiltEntry(entry: string | undefined, workingDirectory: string): BuiltEntry {
  const around = findPackageRoot(workingDirectory) ?? workingDirectory;
  const file = entry === undefined ? join(around, DEFAULT_ENTRY) : resolve(workingDirectory, entry);
  if (findStats(file)?.isFile()) return { file, root: findPackageRoot(dirname(file)) ?? around };
  if (entry !== undefined) throw createCliError('NoEntry', { path: entry });
  const hint = 'Build the server first, as `npm run build` does, or name the file: `capix start <entry>`.';
  throw createCliError('NoEntry', { path: DEFAULT_ENTRY }, { hint });
}
