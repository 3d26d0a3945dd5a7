import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CliError } from '../cli/cli-error.ts';
import { stripControl } from '../terminal/strip-control.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of an env file that the environment does not set already. */
export function readEnvFile(path: string, environment: Environment): Record<string, string> {
  const variables = readVariables(path) ?? {};
  return Object.fromEntries(Object.entries(variables).filter(([name]) => environment[name] === undefined));
}

/**
 * The variables of an env file that the user has named.
 *
 * @throws CliError `NoEnvFile` where it cannot be read
 */
export function expectEnvFile(path: string): Readonly<Record<string, string>> {
  const variables = readVariables(path);
  if (variables !== undefined) return variables;
  throw new CliError({
    code: 'NoEnvFile',
    message: `The env file ${stripControl(path)} cannot be read.`,
    hint: 'Give the path of a file with lines such as NAME=value.',
  });
}

function readVariables(path: string): Readonly<Record<string, string>> | undefined {
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch {
    return undefined;
  }
}
