import { dirname, join, resolve } from 'node:path';
import { type CliError, createCliError } from '../cli/errors/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/watch/find-stats.ts';
import { findPackageRoot, readProjectName } from './expect-project.ts';

const DEFAULT_ENTRY = 'src/server.ts';

/**
 * Finds the project of a server by its entry file, which is relative to the working directory; by default `src/server.ts` of the project
 * around it. `configFile` of the result is that entry.
 *
 * @throws CliError `NoEntry` where the file is missing
 */
export function expectServerEntry(entry: string | undefined, workingDirectory: string): Project {
  const around = findPackageRoot(workingDirectory) ?? workingDirectory;
  const configFile = entry === undefined ? join(around, DEFAULT_ENTRY) : resolve(workingDirectory, entry);
  if (!findStats(configFile)?.isFile()) throw noEntry(entry);
  const root = findPackageRoot(dirname(configFile)) ?? around;
  return { root, name: readProjectName(root), configFile };
}

function noEntry(entry: string | undefined): CliError {
  if (entry !== undefined) return createCliError('NoEntry', { path: entry });
  const hint = 'Name the file that starts the server, `capix dev <entry>`, or make a project with `capix new`.';
  return createCliError('NoEntry', { path: DEFAULT_ENTRY }, { hint });
}
