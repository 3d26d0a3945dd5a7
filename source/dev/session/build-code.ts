import type { ServerBundle, ServerBundler } from '../../load/bundle/server-bundler.ts';
import { type LoadFailure, toBuildFailure } from '../../load/load-failure.ts';
import { readVariables } from '../../system/read-variables.ts';
import type { DevOptions } from './dev-options.ts';

/** A build, with the environment variables as they were at its end. */
export interface Build {
  readonly bundle?: ServerBundle;
  readonly failure?: LoadFailure;
  readonly variables: Readonly<Record<string, string>>;
}

/** Builds the code of the server; `isAnew` forgets what is known of the files. */
export async function buildCode(
  bundler: Pick<ServerBundler, 'bundle' | 'reset'>,
  { envFiles, environment, project }: DevOptions,
  isAnew: boolean,
): Promise<Build> {
  const result = await (isAnew ? bundler.reset() : Promise.resolve())
    .then(() => bundler.bundle())
    .catch((thrown: unknown) => ({ kind: 'failed', failure: toBuildFailure(thrown, project) }) as const);
  const variables = readVariables(envFiles, environment);
  return result.kind === 'failed' ? { failure: result.failure, variables } : { bundle: result, variables };
}
