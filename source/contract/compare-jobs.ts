import { type ApiOperation, JOB } from '../document/api-operation.ts';
import { findDocumentFacts, readJobs } from '../document/read-operations.ts';
import { compareChecks } from './compare-checks.ts';
import { compareGuards } from './compare-guards.ts';
import { compareDeprecation, compareTimeouts } from './compare-operations.ts';
import { compareErrors } from './compare-responses.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type CapabilityChange, type ContractChange, compareClasses, worstClass } from './contract-change.ts';
import { toChange } from './rules.ts';
import { toSortedText } from './sorted-json.ts';

/** Compares the jobs of two documents: what each difference does to the code that adds them, and to those that wait. */
export function compareJobs(before: object, after: object): readonly CapabilityChange[] {
  if (!tellsOfJobs(before) || !tellsOfJobs(after)) return [];
  const [olds, news] = [readJobs(before), readJobs(after)];
  const old = new Map(olds.map((job) => [job.key, job]));
  const known = new Set(news.map(({ key }) => key));
  const removed = olds
    .filter(({ key }) => !known.has(key))
    .map(({ key }) =>
      toJob('removed', key, [toChange('job-removed', { at: 'job', message: 'is not a job any more' })]),
    );
  const others = news.flatMap((job) => {
    const was = old.get(job.key);
    if (was === undefined)
      return toJob('added', job.key, [toChange('job-added', { at: 'job', message: 'became a job' })]);
    const changes = compareJob(was, job);
    return changes.length === 0 ? [] : toJob('changed', job.key, changes);
  });
  return [...removed, ...others];
}

/** The document of a running server says nothing of jobs. */
function tellsOfJobs(document: object): boolean {
  return 'x-jobs' in document || findDocumentFacts(document) !== undefined;
}

function toJob(kind: CapabilityChange['kind'], key: string, changes: readonly ContractChange[]): CapabilityChange {
  const sorted = changes.toSorted((a, b) => compareClasses(a.class, b.class));
  return { kind, key, class: worstClass(sorted) ?? 'safe', route: `${JOB} ${key}`, changes: sorted };
}

/** Nobody reads what a job gives. */
function compareJob(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const [before, after] = [old.facts, now.facts];
  const guards = compareGuards(old, now);
  const checks = compareChecks(before?.inputChecks ?? [], after?.inputChecks ?? []);
  const shared = [
    ...compareSchemas(old.input(), now.input(), { at: 'input', direction: 'input' }),
    ...checks.map(({ effect, message }) =>
      toChange(`input-check-${effect}`, { at: 'input', message: `the input ${message}` }),
    ),
    ...guards,
    ...compareErrors(old, now, { isGuarded: guards.length > 0, isSameEnvelope: true }),
    ...compareTimeouts([before?.timeoutMs, undefined], [after?.timeoutMs, undefined]),
    ...compareDeprecation(before?.deprecation, after?.deprecation),
  ];
  return [...shared.map((change): ContractChange => ({ ...change, audience: ['jobs'] })), ...compareSettings(old, now)];
}

function compareSettings({ job: old }: ApiOperation, { job: now }: ApiOperation): readonly ContractChange[] {
  const [from = '', to = ''] = [old, now].map((job) => (job?.repeat === undefined ? 'none' : toSortedText(job.repeat)));
  const [before = '', after = ''] = [old, now].map((job) =>
    Object.entries({ ...job, repeat: undefined })
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${toSortedText(value)}`]))
      .join(', '),
  );
  const schedule = { at: 'job.repeat', message: `schedule changed from ${from} to ${to}`, before: from, after: to };
  const settings = { at: 'job', message: `runs with ${after}, it was ${before}`, before, after };
  return [
    ...(from === to ? [] : [toChange('job-schedule-changed', schedule)]),
    ...(before === after ? [] : [toChange('job-settings-changed', settings)]),
  ];
}
