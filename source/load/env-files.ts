import { resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { findVariables, type Variables } from '../system/read-variables.ts';
import { terminal } from '../terminal/terminal.ts';
import { attempt } from '../values/attempt.ts';
import { readSettings } from './settings/read-settings.ts';

export interface EnvFilesOptions {
  /** The values of `--env-file`, relative to the working directory. @default the series of the project */
  readonly envFile?: readonly string[] | undefined;
  readonly workingDirectory: string;
  /** The mode that the series is of. @default `NODE_ENV`, or `development` */
  readonly mode?: string | undefined;
}

/**
 * The env files of a project, absolute, a later one before an earlier one: those that the user names, else those of its
 * settings, else its `.env` series, which need not be there.
 * @throws CliError `NoEnvFile` where one that is named cannot be read
 */
export function toEnvFiles(
  root: string,
  {
    envFile = [],
    workingDirectory,
    mode = terminal.environment['NODE_ENV'] || 'development',
  }: EnvFilesOptions,
): readonly string[] {
  if (envFile.length === 0)
    return (findNamed(root) ?? toSeries(mode)).map((name) => resolve(root, name));
  return envFile.map((path) => {
    const file = resolve(workingDirectory, path);
    if (findVariables(file) !== undefined) return file;
    throw createCliError('NoEnvFile', { path: file });
  });
}

/** The files that the settings of the project name; none where nobody can read them, as of a compared folder. */
function findNamed(root: string): readonly string[] | undefined {
  return attempt(() => readSettings(root).envFiles);
}

/** A file of this machine precedes a shared one, one of a mode one of all. Tests are equal on all machines. */
function toSeries(mode: string): readonly string[] {
  const shared = ['.env', `.env.${mode}`];
  return mode === 'test' ? shared : [...shared, '.env.local', `.env.${mode}.local`];
}

/** capix decides where a server listens, whatever shell and env file say. */
export function toListenVariables({
  port,
  host,
}: {
  port?: number | undefined;
  host?: string | undefined;
}): Variables {
  return {
    ...(port !== undefined && { PORT: String(port) }),
    ...(host !== undefined && { HOST: host }),
  };
}
