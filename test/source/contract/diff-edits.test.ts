import { expect, test } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability-factory.ts';
import { withTimeout } from '../../../server-runtime/enhancers/with-timeout.ts';
import { defaultErrors } from '../../../server-runtime/errors/default-errors.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import type { JobSettings } from '../../../server-runtime/server/jobs/job.ts';
import type { ContractDiff } from '../../../source/contract/contract-change.ts';
import { diffManifests } from '../../../source/contract/diff-manifests.ts';
import { contractRules } from '../../../source/contract/rules/contract-rules.ts';
import type { Direction } from '../../../source/contract/schemas/contract-place.ts';
import { diffSchemas } from '../../../source/contract/schemas/diff-schemas.ts';
import { parseRestOptions } from '../../../source/document/parse-rest-options.ts';
import { loadManifest } from '../../../source/manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../../source/manifest/loaded-registry.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { toSchemaView } from '../../../source/shape/schema-view.ts';
import { parseLock, toLockText } from '../../../source/sides/lock-state.ts';
import { capabilityEdits } from './edits/capability-edits.ts';
import { schemaEdits } from './edits/schema-edits.ts';

function findRules(direction: Direction, before: z.ZodType | undefined, after: z.ZodType | undefined): string {
  const json = (schema: z.ZodType | undefined): unknown => toSchemaView(schema, direction)?.json;
  return diffSchemas({ before: json(before), after: json(after), direction })
    .map((change) => `${change.class} ${change.rule.slice(direction.length + 1)}`)
    .join(', ');
}

test.each(schemaEdits)('of schemas: %s', (_, before, after, asInput, asOutput) => {
  expect([findRules('input', before, after), findRules('output', before, after)]).toEqual([asInput, asOutput]);
});

async function toManifest(items: object, restOptions: unknown = {}, jobs?: LoadedRegistry['jobs']): Promise<Manifest> {
  const registry = compileRegistry({ items } as never);
  const project = { root: '/', name: 'test', entryFile: '/capabilities.ts' };
  const loaded = { project, registry, restOptions: parseRestOptions(restOptions), jobs, files: [] };
  return loadManifest({ kind: 'loaded', ...loaded });
}

function toRules({ added, removed, changed, server }: ContractDiff): readonly string[] {
  const changes = [...[...removed, ...changed].flatMap((each) => each.changes), ...server];
  return [
    ...changes.map((change) => `${change.class} ${change.rule}`),
    ...added.map((each) => `${each.class} capability-added`),
  ];
}

/** As a lock file keeps it. */
function toLocked(manifest: Manifest): Manifest {
  return parseLock(JSON.parse(toLockText(manifest)), 'a lock file') as Manifest;
}

test.each(capabilityEdits)(
  'of capabilities, and of their lock files: $name',
  async ({ before, after, restOptions, rules }) => {
    const [old, now] = [await toManifest(before, restOptions?.[0]), await toManifest(after, restOptions?.[1])];
    expect(toRules(diffManifests(old, now, { today: '2026-11-21' }))).toEqual(rules);
    expect(toRules(diffManifests(toLocked(old), toLocked(now), { today: '2026-11-21' }))).toEqual(rules);
  },
);

const job: JobSettings = { maxJobs: 10, attempts: 5, backoffMs: 1000, rate: undefined, repeat: undefined };

const jobEdits: readonly (readonly [string, JobSettings | undefined, JobSettings | undefined, readonly string[]])[] = [
  ['one comes', undefined, job, ['safe job-added']],
  ['one goes', job, undefined, ['breaking job-removed']],
  ['another rate', job, { ...job, rate: { limit: 1, windowMs: 1000 } }, ['safe job-settings-changed']],
  ['another schedule', job, { ...job, repeat: { cron: '0 3 * * *' } }, ['risky job-schedule-changed']],
];

test.each(jobEdits)('of jobs, and of their lock files: %s', async (_, before, after, rules) => {
  const send = capability(() => 1);
  const load = (settings: JobSettings | undefined): Promise<Manifest> =>
    toManifest(
      { send },
      {},
      {
        registry: compileRegistry(settings === undefined ? {} : { mails: { send } }),
        settings: new Map(settings && [['mails.send', settings]]),
      },
    );
  const [old, now] = [await load(before), await load(after)];
  const toAll = (diff: ContractDiff): readonly string[] =>
    [...diff.added, ...diff.removed, ...diff.changed].flatMap(({ changes }) =>
      changes.map((change) => `${change.class} ${change.rule}`),
    );
  expect(toAll(diffManifests(old, now))).toEqual(rules);
  expect(toAll(diffManifests(toLocked(old), toLocked(now)))).toEqual(rules);
});

test('errors and timeouts of jobs, and of their lock files, for the code that adds them', async () => {
  const load = (send: object): Promise<Manifest> =>
    toManifest(
      {},
      {},
      { registry: compileRegistry({ mails: { send } } as never), settings: new Map([['mails.send', job]]) },
    );
  const old = await load(capability(() => 1).errors(defaultErrors.NotFound));
  const now = await load(
    capability(() => 1)
      .errors(defaultErrors.Conflict)
      .enhance(withTimeout(1_000)),
  );
  for (const [before, after] of [
    [old, now],
    [toLocked(old), toLocked(now)],
  ] as const) {
    const [changed] = diffManifests(before, after).changed;
    expect(changed?.changes.map(({ rule, audience }) => [rule, audience])).toEqual([
      ['error-added', ['jobs']],
      ['timeout-shorter', ['jobs']],
      ['error-removed', ['jobs']],
    ]);
  }
});

test('every rule is shown by an edit', () => {
  const ofSide = (side: Direction, text: string): readonly string[] =>
    text.split(', ').map((rule) => `${side}-${rule.split(' ')[1]}`);
  const shown = new Set([
    ...schemaEdits.flatMap(([, , , asInput, asOutput]) => [...ofSide('input', asInput), ...ofSide('output', asOutput)]),
    ...[...capabilityEdits.map(({ rules }) => rules), ...jobEdits.map(([, , , rules]) => rules)].flatMap((rules) =>
      rules.map((rule) => rule.split(' ')[1]),
    ),
  ]);
  expect(Object.keys(contractRules).filter((rule) => !shown.has(rule))).toEqual([]);
});

const one = (fields: z.core.$ZodLooseShape): object => capability(z.object(fields), () => 1);
const id = z.string();

test.each([
  [
    'a new name on the same route',
    { createOne: one({ name: id }) },
    { addOne: one({ name: id }) },
    ['capability-renamed client agents'],
  ],
  [
    'a new name on the same route, and a field that HTTP callers do not send either',
    { createOne: one({ name: id }) },
    { addOne: one({ name: id, unit: id }) },
    ['capability-renamed client agents', 'input-field-added-required http'],
  ],
  [
    'a number of the query that became a text',
    { listOnes: one({ page: z.int() }) },
    { listOnes: one({ page: z.string() }) },
    ['input-text-type-changed client agents'],
  ],
  [
    'a route with another method',
    { ping: one({}) },
    { ping: capability(z.object({}), () => 1, 'query') },
    ['method-changed http client'],
  ],
])('tells whom %s breaks', async (_, before, after, told) => {
  const { removed, changed } = diffManifests(await toManifest(before), await toManifest(after));
  const broken = [...removed, ...changed].flatMap(({ changes }) => changes.filter((each) => each.class === 'breaking'));
  expect(broken.map(({ rule, audience }) => `${rule} ${audience.join(' ')}`)).toEqual(told);
});
