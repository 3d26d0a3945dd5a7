import { join, resolve } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { findVariables } from '../system/read-variables.ts';

export interface EnvFilesOptions {
  /** As given with `--env-file`, relative to the working directory. @default .env of the project */
  readonly envFile?: readonly string[] | undefined;
  /** Absolute path. */
  readonly workingDirectory: string;
}

/**
 * The env files of a project, as absolute paths: those that the user names, in that order, else its `.env`, which need not be there.
 *
 * @throws CliError `NoEnvFile` where one that is named cannot be read
 */
export function toEnvFiles(root: string, { envFile = [], workingDirectory }: EnvFilesOptions): readonly string[] {
  if (envFile.length === 0) return [join(root, '.env')];
  return envFile.map((path) => {
    const file = resolve(workingDirectory, path);
    if (findVariables(file) !== undefined) return file;
    throw createCliError('NoEnvFile', { path: file });
  });
}
