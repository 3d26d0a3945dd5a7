import { resolve } from 'node:path';
import { usageError } from '../cli/cli-error.ts';
import { findServerEntry } from '../load/find-server-entry.ts';
import type { DevRouteOptions } from '../screens/route.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DevOptions } from './dev-session.ts';
import { type Environment, expectEnvFile } from './read-env-file.ts';

const DEFAULT_INSPECT_PORT = 9229;

/**
 * The options of a session.
 *
 * @throws CliError for a port that cannot be, or an entry that is missing
 */
export function toDevOptions(
  options: DevRouteOptions,
  entry: string | undefined,
  terminal: Terminal,
): Omit<DevOptions, 'report' | 'records'> {
  const workingDirectory = terminal.workingDirectory();
  const project = findServerEntry(entry, workingDirectory);
  const { port, inspect = false, inspectPort } = options;
  const envFile = resolve(
    ...(options.envFile === undefined ? [project.root, '.env'] : [workingDirectory, options.envFile]),
  );
  return {
    project,
    environment:
      options.envFile === undefined ? terminal.environment : withoutFileVariables(envFile, terminal.environment),
    envFile,
    port: port === undefined ? undefined : expectPort(port, '--port'),
    inspectPort:
      inspectPort === undefined
        ? inspect
          ? DEFAULT_INSPECT_PORT
          : undefined
        : expectPort(inspectPort, '--inspect-port'),
    watches: options.watch ?? true,
  };
}

/** Node 20 reads an `--env-file` among the words of a script too: what it set is not the shell's, and follows the file. */
function withoutFileVariables(path: string, environment: Environment): Environment {
  const variables = expectEnvFile(path);
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== variables[name]));
}

function expectPort(port: number, name: string): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw usageError(`${name} must be a whole number from 0 to 65535, got ${port}.`);
}
