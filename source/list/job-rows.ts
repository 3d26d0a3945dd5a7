import { JOB } from '../document/api-operation.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toShortJobText } from '../manifest/operations/to-job-texts.ts';
import { type CapabilityRow, toGuardCount } from './capability-row.ts';

/** The rows of the jobs of a project, their settings in the place of a route. */
export function toJobRows({ jobs = [] }: Pick<Manifest, 'jobs'>): readonly CapabilityRow[] {
  return jobs.map((job) => ({
    key: job.key,
    method: JOB,
    route: toShortJobText(job.job),
    guards: toGuardCount(job),
    offers: '',
  }));
}
