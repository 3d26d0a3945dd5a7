import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { CliError } from '../cli/cli-error.ts';
import { stripControl } from '../terminal/strip-control.ts';

export interface EnvFile {
  /** Absolute path. */
  readonly path: string;
  /** Whether the user named it, so that it must be there. */
  readonly isRequired: boolean;
}

/**
 * The variables of an env file that the environment does not set already.
 *
 * @throws CliError `NoEnvFile` where a required one is missing
 */
export async function readEnvFile({ path, isRequired }: EnvFile, environment: Readonly<Record<string, string | undefined>>): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !isRequired) return '';
    throw new CliError({ code: 'NoEnvFile', message: `The env file ${stripControl(path)} cannot be read: ${error.message}`, hint: 'Give the path of a file with lines such as NAME=value.' });
  });
  const parsed = Object.entries(parseEnv(text)) as [string, string][];
  return Object.fromEntries(parsed.filter(([name]) => environment[name] === undefined));
}
