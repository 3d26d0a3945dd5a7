import { join, resolve } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { findVariables, readMode } from '../system/read-variables.ts';

export interface EnvFilesOptions {
  /** As given with `--env-file`, relative to the working directory. @default the series of the project */
  readonly envFile?: readonly string[] | undefined;
  /** Absolute path. */
  readonly workingDirectory: string;
}

/**
 * The env files of a project, as absolute paths, a later one before an earlier one: those that the user names, in that order, else its `.env`,
 * `.env.development` (or what `NODE_ENV` says), `.env.local` and `.env.development.local`, which need not be there.
 *
 * @throws CliError `NoEnvFile` where one that is named cannot be read
 */
export function toEnvFiles(root: string, { envFile = [], workingDirectory }: EnvFilesOptions): readonly string[] {
  if (envFile.length === 0) return toSeries(readMode()).map((name) => join(root, name));
  return envFile.map((path) => {
    const file = resolve(workingDirectory, path);
    if (findVariables(file) !== undefined) return file;
    throw createCliError('NoEnvFile', { path: file });
  });
}

/** A file of this machine comes before one that all share, and one of a mode before one of all. Tests are the same on every machine. */
function toSeries(mode: string): readonly string[] {
  const shared = ['.env', `.env.${mode}`];
  return mode === 'test' ? shared : [...shared, '.env.local', `.env.${mode}.local`];
}
