import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { addVariables } from '../system/read-variables.ts';
import { importWithin, runUserCode } from '../system/run-user-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type EnvFilesOptions, toEnvFiles } from './env-files.ts';
import { expectProject, type FindProjectOptions } from './expect-project.ts';
import { LoadError, toLoadFailure } from './load-failure.ts';
import { readRegistry } from './read-registry.ts';

export interface LoadRegistryOptions extends FindProjectOptions, EnvFilesOptions {
  /** Whether those are loaded, too, that a server does not start with. @default false */
  readonly withFaults?: boolean | undefined;
}

/**
 * Loads the capabilities of the project in this process, with the variables of its env files. What its code prints goes
 * to stderr.
 * @throws CliError `NoProject`, `NoEnvFile`; LoadError
 */
export async function loadRegistry(
  options: Omit<LoadRegistryOptions, 'workingDirectory'>,
  terminal: Pick<Terminal, 'workingDirectory'>,
): Promise<LoadedRegistry> {
  const { withFaults = false, ...places } = {
    ...options,
    workingDirectory: terminal.workingDirectory(),
  };
  const project = expectProject(places);
  addVariables(toEnvFiles(project.root, places));
  return runUserCode(() => readRegistry(project, { importFile: importWithin, withFaults })).catch(
    (thrown: unknown) => {
      throw thrown instanceof LoadError
        ? thrown
        : new LoadError(toLoadFailure(thrown, project), thrown);
    },
  );
}
