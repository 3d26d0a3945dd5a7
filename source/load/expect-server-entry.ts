import { dirname, join, resolve } from 'node:path';
import { type CliError, createCliError } from '../cli/errors/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/watch/find-stats.ts';
import { findPackageRoot, findSourceFile, readProjectName } from './expect-project.ts';
import { readSettings } from './settings/read-settings.ts';

const DEFAULT_ENTRY = 'src/server.ts';

/**
 * Finds the project of a server by its entry file, which is relative to the working directory; by default what the
 * settings of the project around it say, else its `src/server.*`.
 *
 * @throws CliError `NoEntry` where the file is missing; as `readSettings`
 */
export function expectServerEntry(entry: string | undefined, workingDirectory: string): Project {
  const around = findPackageRoot(workingDirectory) ?? workingDirectory;
  const entryFile = entry === undefined ? findEntry(around) : resolve(workingDirectory, entry);
  if (entryFile === undefined || !findStats(entryFile)?.isFile()) throw noEntry(entry);
  const root = findPackageRoot(dirname(entryFile)) ?? around;
  return { root, name: readProjectName(root), entryFile };
}

function findEntry(root: string): string | undefined {
  const { dev, refuse } = readSettings(root);
  if (dev.entry === undefined) return findSourceFile(join(root, 'src', 'server'));
  const file = resolve(root, dev.entry);
  if (findStats(file)?.isFile()) return file;
  throw refuse(['dev', 'entry'], `there is no file ${JSON.stringify(dev.entry)}`);
}

function noEntry(entry: string | undefined): CliError {
  if (entry !== undefined) return createCliError('NoEntry', { path: entry });
  const hint = 'Name the file that starts the server, `capix dev <entry>`, or make a project with `capix new`.';
  return createCliError('NoEntry', { path: DEFAULT_ENTRY }, { hint });
}
