import { JOB } from '../document/api-operation.ts';
import { type Listed, toCapabilities, toJobs } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toShortJobText } from '../manifest/to-job-texts.ts';

/** One line of the list. */
export interface CapabilityRow {
  readonly key: string;
  readonly method: string;
  readonly route: string;
  /** `public`, `1 guard`, `2 guards`. */
  readonly guards: string;
  /** `resource`, `resource, prompt`: what it is for agents besides a tool; mostly empty. */
  readonly offers: string;
}

/** The rows of a project, in the order of declaration. */
export function toCapabilityRows(manifest: Manifest): readonly CapabilityRow[] {
  return toCapabilities(manifest).map((capability) => ({
    key: capability.key,
    method: capability.method,
    route: capability.path,
    guards: toGuardCount(capability),
    offers: toOfferKinds(capability),
  }));
}

function toOfferKinds({ facts: { offers } }: Listed): string {
  if (offers === undefined) return '';
  return [
    ...(offers.resources.length === 0 ? [] : ['resource']),
    ...(offers.prompt === undefined ? [] : ['prompt']),
  ].join(', ');
}

/** Guards of both kinds count: each may reject a request. */
export function toGuardCount({ facts: { guards, inputGuards } }: Pick<Listed, 'facts'>): string {
  const count = guards.length + inputGuards.length;
  return count === 0 ? 'public' : count === 1 ? '1 guard' : `${count} guards`;
}

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

/** The words for a project without capabilities: which file was read, and what it should export. */
export function toNoCapabilities({ project }: Pick<Manifest, 'project'>): readonly string[] {
  return [
    `${project.config} exports no capability.`,
    'It should export groups of them, for example: `export const capabilities = { users: { getUser } };`',
  ];
}
