import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { runUserCode } from '../terminal/run-user-code.ts';
import { findProject } from './find-project.ts';
import { toImportFailure, toLoadError } from './load-failure.ts';
import { readRegistry } from './read-registry.ts';

export interface LoadRegistryOptions {
  /** `--config` as given. */
  readonly config?: string | undefined;
  /** Absolute path. */
  readonly workingDirectory: string;
}

/**
 * Loads the capabilities of the user's project for a command that runs once. What user code prints goes to stderr, so that stdout is the
 * command's.
 *
 * @throws CliError `NoProject`, `BuildFailed`, `ImportFailed` or `InvalidConfig`, with a code frame where a file is at fault
 */
export async function loadRegistry({ config, workingDirectory }: LoadRegistryOptions): Promise<LoadedRegistry> {
  const project = findProject({ config, workingDirectory });
  const result = await runUserCode(() => readRegistry(project)).catch((thrown: unknown) => {
    throw toLoadError(toImportFailure(thrown, project, []), thrown);
  });
  if (result.kind === 'failed') throw toLoadError(result.failure, result.cause);
  return result;
}
