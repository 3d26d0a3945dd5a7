import type { LoadedJobs } from '../loaded-registry.ts';
import type { ManifestJob } from '../manifest.ts';
import { type OperationPlace, toManifestOperation } from './to-manifest-operation.ts';

/** The capabilities that a queue runs, in the order of declaration. */
export function toManifestJobs({ registry, settings }: LoadedJobs, place: OperationPlace): readonly ManifestJob[] {
  return registry.operations.flatMap((operation) => {
    const job = settings.get(operation.key);
    return job === undefined ? [] : [{ ...toManifestOperation(operation, place), job }];
  });
}
