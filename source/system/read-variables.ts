import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = Readonly<Record<string, string>>;

/** The variables of env files, a later file before an earlier one, without those that the environment has already. */
export function readVariables(files: readonly string[], environment: Environment = process.env): Variables {
  const variables: Variables = Object.assign({}, ...files.map((file) => findVariables(file)));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => environment[name] === undefined));
}

/** The variables of an env file; undefined where it cannot be read. */
export function findVariables(file: string): Variables | undefined {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Variables;
  } catch {
    return undefined;
  }
}

let added: readonly string[] = [];

/** Adds the variables of env files to the environment of this process, in place of those that were added before. */
export function replaceVariables(files: readonly string[]): void {
  for (const name of added) delete process.env[name];
  const variables = readVariables(files);
  Object.assign(process.env, variables);
  added = Object.keys(variables);
}
