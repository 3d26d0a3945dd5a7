import { JOB } from '../document/api-operation.ts';
import { toJobs } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toShortJobText } from '../manifest/to-job-texts.ts';
import { type CapabilityRow, toGuardCount } from './capability-row.ts';

/** The rows of the jobs of a project, their settings in the place of a route. */
export function toJobRows(manifest: Manifest): readonly CapabilityRow[] {
  return toJobs(manifest).map((job) => ({
    key: job.key,
    method: JOB,
    route: job.job === undefined ? '' : toShortJobText(job.job),
    guards: toGuardCount(job),
    offers: '',
  }));
}
