import { type ServerBundle, type ServerBundler, toFailedBundle } from '../../load/bundle/server-bundler.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import { toRetriedFailure } from '../../load/watch/to-retry-ms.ts';
import { readVariables } from '../../system/read-variables.ts';
import type { DevOptions } from './dev-options.ts';

/** A build, with the environment variables as they were at its end. */
export interface Build {
  readonly bundle?: ServerBundle;
  readonly failure?: LoadFailure;
  /** Whether the disk had no space for it: another try may go well. */
  readonly isDiskFull?: boolean;
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
    .catch((thrown: unknown) => toFailedBundle(thrown, project));
  const variables = readVariables(envFiles, environment);
  if (result.kind !== 'failed') return { bundle: result, variables };
  return { failure: toRetriedFailure(result), isDiskFull: result.isDiskFull, variables };
}
