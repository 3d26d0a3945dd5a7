import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { replaceVariables } from '../system/read-variables.ts';
import { importWithin, runUserCode } from '../system/run-user-code.ts';
import { type EnvFilesOptions, toEnvFiles } from './env-files.ts';
import { expectProject, type FindProjectOptions } from './expect-project.ts';
import { LoadError, toLoadFailure } from './load-failure.ts';
import { readRegistry } from './read-registry.ts';

export interface LoadRegistryOptions extends FindProjectOptions, EnvFilesOptions {
  /**
   * Whether capabilities are loaded that a server does not start with: for commands that tell what is wrong, or call
   * nothing. @default false
   */
  readonly withFaults?: boolean | undefined;
}

/**
 * Loads the capabilities of the user's project for a command that runs once, with the variables of its env files in the
 * environment. What user code prints goes to stderr, so that stdout is the command's.
 *
 * @throws CliError `NoProject`, `NoEnvFile`, `BuildFailed`, `ImportFailed` or `InvalidConfig`, with a code frame where
 * a file is at fault
 */
export async function loadRegistry(options: LoadRegistryOptions): Promise<LoadedRegistry> {
  const project = expectProject(options);
  replaceVariables(toEnvFiles(project.root, options));
  const { withFaults = false } = options;
  return runUserCode(() => readRegistry(project, { importFile: importWithin, withFaults })).catch((thrown: unknown) => {
    throw thrown instanceof LoadError ? thrown : new LoadError(toLoadFailure(thrown, project), thrown);
  });
}
