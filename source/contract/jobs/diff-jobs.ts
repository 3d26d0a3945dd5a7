import { JOB } from '../../document/api-operation.ts';
import type { Manifest, ManifestJob } from '../../manifest/manifest.ts';
import { toJobTexts } from '../../manifest/operations/to-job-texts.ts';
import { type CapabilityChange, type ContractChange, compareClasses, worstClass } from '../contract-change.ts';
import { diffDeprecation } from '../facts/diff-deprecation.ts';
import { diffErrors } from '../facts/diff-errors.ts';
import { diffGuards } from '../facts/diff-guards.ts';
import { diffTimeout } from '../facts/diff-limits.ts';
import { toChange } from '../rules/to-change.ts';
import { diffChecks } from '../schemas/diff-checks.ts';
import { diffSchemas } from '../schemas/diff-schemas.ts';

type Jobs = Pick<Manifest, 'jobs'>;

/** Compares the jobs of two manifests: what each difference does to the code that adds them, and to those that wait. */
export function diffJobs({ jobs: olds = [] }: Jobs, { jobs: news = [] }: Jobs): readonly CapabilityChange[] {
  const before = new Map(olds.map((job) => [job.key, job]));
  const after = new Set(news.map(({ key }) => key));
  const removed = olds
    .filter(({ key }) => !after.has(key))
    .map(({ key }) =>
      toJobChange('removed', key, [toChange('job-removed', { at: 'job', message: 'is not a job any more' })]),
    );
  const others = news.flatMap((job) => {
    const old = before.get(job.key);
    if (old === undefined)
      return toJobChange('added', job.key, [toChange('job-added', { at: 'job', message: 'became a job' })]);
    const changes = diffJob(old, job);
    return changes.length === 0 ? [] : toJobChange('changed', job.key, changes);
  });
  return [...removed, ...others];
}

/**
 * The changes of capabilities with those of the jobs of the same keys: one entry for each key. `hasRoute` tells of a key whether it is a route before
 * and after, so that its job alone came or went.
 */
export function mergeJobChanges(
  capabilities: readonly CapabilityChange[],
  jobs: readonly CapabilityChange[],
  findRoute: (key: string) => string | undefined,
): readonly CapabilityChange[] {
  const ofJobs = new Map(jobs.map((change) => [change.key, change]));
  const merged = capabilities.map((change) => {
    const own = ofJobs.get(change.key);
    ofJobs.delete(change.key);
    return own === undefined ? change : withChanges(change, mergeAudiences([...change.changes, ...own.changes]));
  });
  const alone = [...ofJobs.values()].map((change): CapabilityChange => {
    const route = findRoute(change.key);
    return route === undefined ? change : { ...change, kind: 'changed', route };
  });
  return [...merged, ...alone];
}

function toJobChange(
  kind: CapabilityChange['kind'],
  key: string,
  changes: readonly ContractChange[],
): CapabilityChange {
  return withChanges({ kind, key, class: 'safe', route: `${JOB} ${key}`, changes: [] }, changes);
}

function withChanges(change: CapabilityChange, changes: readonly ContractChange[]): CapabilityChange {
  const sorted = changes.toSorted((a, b) => compareClasses(a.class, b.class));
  return { ...change, class: worstClass(sorted) ?? 'safe', changes: sorted };
}

/** The same change of a capability and of its job is one change, for both. */
function mergeAudiences(changes: readonly ContractChange[]): readonly ContractChange[] {
  const known = new Map<string, ContractChange>();
  for (const change of changes) {
    const id = `${change.rule} ${change.at} ${change.message}`;
    const audience = [...new Set([...(known.get(id)?.audience ?? []), ...change.audience])];
    known.set(id, { ...change, audience });
  }
  return [...known.values()];
}

/** Nobody reads what a job gives. */
function diffJob(before: ManifestJob, after: ManifestJob): readonly ContractChange[] {
  const [old, now] = [before.input?.json, after.input?.json];
  const shared = [
    ...diffSchemas({ before: old, after: now, direction: 'input' }),
    ...diffChecks(old, now),
    ...diffGuards(before, after),
    ...diffErrors(before, after),
    ...diffTimeout(before, after),
    ...diffDeprecation(before, after),
  ];
  return [
    ...shared.map((change): ContractChange => ({ ...change, audience: ['jobs'] })),
    ...diffSettings(before, after),
  ];
}

function diffSettings({ job: old }: ManifestJob, { job: now }: ManifestJob): readonly ContractChange[] {
  const schedules = [old, now].map(({ repeat }) => (repeat === undefined ? 'none' : JSON.stringify(repeat)));
  const [before = '', after = ''] = [old, now].map((job) => toJobTexts({ ...job, repeat: undefined }).join(', '));
  const [from = '', to = ''] = schedules;
  return [
    ...(from === to
      ? []
      : [
          toChange('job-schedule-changed', {
            at: 'job.repeat',
            message: `schedule changed from ${from} to ${to}`,
            before: from,
            after: to,
          }),
        ]),
    ...(before === after
      ? []
      : [toChange('job-settings-changed', { at: 'job', message: `runs ${after}, it was ${before}`, before, after })]),
  ];
}
