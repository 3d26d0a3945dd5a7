import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { attempt } from '../values/attempt.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = Readonly<Record<string, string>>;

/** The variables of env files, a later file before an earlier one, without those that the environment has already. */
export function readVariables(
  files: readonly string[],
  environment: Environment = process.env,
): Variables {
  const variables: Variables = Object.assign({}, ...files.map((file) => findVariables(file)));
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => environment[name] === undefined),
  );
}

export function findVariables(file: string): Variables | undefined {
  return attempt(() => parseEnv(readFileSync(file, 'utf8')) as Variables);
}

/** Adds the variables of env files to the environment of this process. */
export function addVariables(files: readonly string[]): void {
  Object.assign(process.env, readVariables(files));
}
