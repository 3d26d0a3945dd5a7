import type { Manifest, ManifestCapability, ManifestJob } from '../manifest.ts';

/** A capability at its route, or as a job. */
export type Listed = ManifestCapability | ManifestJob;

export function hasRoute(listed: Listed): listed is ManifestCapability {
  return 'method' in listed;
}

/** Everything that is listed: the capabilities, then the jobs. The same list for the same manifest. */
export function toListed(manifest: Manifest): readonly Listed[] {
  const { capabilities, jobs } = manifest;
  if (jobs === undefined) return capabilities;
  const known = lists.get(capabilities);
  if (known?.jobs === jobs) return known.all;
  const all = [...capabilities, ...jobs];
  lists.set(capabilities, { jobs, all });
  return all;
}

const lists = new WeakMap<
  readonly ManifestCapability[],
  { readonly jobs: readonly ManifestJob[]; readonly all: readonly Listed[] }
>();

/** The notice where a job is asked for what only a route has. */
export const NO_ROUTE = 'Only the queue runs it; capix call runs it without a screen';
