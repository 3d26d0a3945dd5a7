import type { Listed, Manifest } from '../manifest/manifest.ts';
import { toShortJobText } from '../manifest/to-job-texts.ts';
import { toCount } from '../values/count.ts';

/** The path of a capability, or the settings of a job. */
export function toRouteText({ path, job }: Listed): string {
  return job === undefined ? path : toShortJobText(job);
}

/** `public`, `1 guard`, `2 guards`. Guards of both kinds count: each may reject a request. */
export function toGuardCount({ facts: { guards, inputGuards } }: Pick<Listed, 'facts'>): string {
  const count = guards.length + inputGuards.length;
  return count === 0 ? 'public' : toCount(count, 'guard');
}

/** The words for a project without capabilities: which file was read, and what it should export. */
export function toNoCapabilities({ project }: Pick<Manifest, 'project'>): readonly string[] {
  return [
    `${project.config} exports no capability.`,
    'It should export groups of them, for example: `export const capabilities = { users: { getUser } };`',
  ];
}
