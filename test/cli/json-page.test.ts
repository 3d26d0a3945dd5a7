import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DevEvent } from '../../source/dev/session/dev-event.ts';
import { toDevJson } from '../../source/dev/session/dev-json.ts';
import { type StartEvent, toStartJson } from '../../source/start/start-text.ts';
import { askCapix } from '../helpers/ask-capix.ts';
import { expectEvent, expectFields, readTable } from '../helpers/json-page.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let folder: string;
let created: unknown;
beforeAll(async () => {
  const parent = await temporaryFolder();
  created = JSON.parse(
    (await askCapix(['new', 'shop', '--no-install', '--no-git', '--json'], { cwd: parent })).stdout,
  );
  folder = join(parent, 'shop');
  await mkdir(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['capix', packageRoot],
    ['zod', join(packageRoot, 'node_modules', 'zod')],
  ] as const)
    await symlink(target, join(folder, 'node_modules', name), 'junction');
  await writeTree(folder, {
    'src/rich.ts': `
      import { capability, defaultErrors, defineGuard, defineInputGuard, withCache, withTimeout } from 'capix';
      import { queueTransport } from 'capix/queue';
      import * as z from 'zod';
      const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser', security: { type: 'http', scheme: 'bearer' }, errors: [defaultErrors.Forbidden] });
      const Item = z.object({ id: z.string(), name: z.string() });
      const getItem = capability.guard(mustBeUser)(z.object({ id: z.string() }), ({ id }) => {
        if (id === '9') throw defaultErrors.NotFound('There is no item 9');
        return { id, name: 'Pen' };
      }).output(Item).describe('Get one item').enhance(withTimeout(1000)).deprecated({ use: 'items.findItem', since: '1.0' }).tool({ readOnly: true });
      const findItem = capability(z.object({ q: z.string().optional() }), () => [], 'query').enhance(withCache({ ttlMs: 1000 })).tool(false);
      const createItem = capability(z.object({ name: z.string() }), () => ({ id: '1' })).inputGuard(defineInputGuard(() => {}, { name: 'mayCreate' }));
      const sendMail = capability(z.object({ to: z.string() }), () => null).describe('Sends a mail');
      export const jobs = queueTransport({ capabilities: { mails: { sendMail } }, jobs: { 'mails.sendMail': { attempts: 3, repeat: { cron: '0 3 * * *', input: { to: 'ada' } } } } });
      export const capabilities = { items: { getItem, findItem, createItem } };
    `,
    'src/before.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const getItem = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Pen' })).output(z.object({ id: z.string(), price: z.number() }));
      const removeItem = capability(z.object({ id: z.string() }), () => null);
      export const capabilities = { items: { getItem, removeItem } };
    `,
    'calls/first.json': JSON.stringify({
      call: 'items.listItems',
      input: {},
      expect: { status: 200 },
    }),
  });
});

const rich = ['--config', 'src/rich.ts'];

interface Printed {
  readonly ok: boolean;
  readonly data: object;
  readonly notes?: readonly string[];
  readonly error?: object;
}

async function print(words: readonly string[]): Promise<Printed> {
  return JSON.parse((await askCapix([...words, '--json'], { cwd: folder })).stdout) as Printed;
}

it.each<readonly [name: string, words: readonly string[]]>([
  ['list', ['list', ...rich]],
  ['show', ['show', 'items.findItem', ...rich]],
  ['check', ['check', '--agents', ...rich]],
  ['diff', ['diff', 'src/before.ts', 'src/rich.ts']],
  ['lock', ['lock']],
  ['docs', ['docs']],
  ['sync-ai-context', ['sync-ai-context']],
  ['generate', ['generate', 'capability', 'users', 'getUser', '--input', '--dry-run']],
  ['generate', ['generate', 'group', 'orders', '--dry-run']],
  ['mcp', ['mcp', '--list', ...rich]],
])('the data of %s has the fields that the page names: capix %j', async (name, words) => {
  const document = await print(words);
  expect(document).toMatchObject({ ok: true });
  if (name === 'docs') expect(Object.keys(document.data)).toEqual(['markdown']);
  else expectFields('## Commands', name, document.data);
  for (const [list, items] of Object.entries(document.data))
    if (Array.isArray(items))
      for (const item of items as readonly unknown[]) expectItem(name, list, item);
});

/** An item of a list that the page describes. */
function expectItem(command: string, list: string, item: unknown): void {
  const heading = '### Items of lists';
  const row = readTable(heading).find(
    ({ name }) => name.split(' ').includes(list) && name.endsWith(` ${command}`),
  );
  if (row !== undefined) expectFields(heading, row.name, item as object);
}

it('what is written says where, and what fails has a code and a message', async () => {
  for (const words of [
    ['openapi', '--output', 'api.json'],
    ['client', '--output', 'src/client.ts'],
  ])
    expect((await print(words)).data).toEqual({ file: expect.any(String) });
  expect(await print(['show', 'items.getItm', ...rich])).toEqual({
    ok: false,
    error: { code: 'UnknownCapability', message: expect.any(String), hint: expect.any(String) },
  });
  expect(Object.keys((await print(['call', '--all'])).data)).toEqual(['calls', 'passed', 'failed']);
});

it('the data of call is as the schema of the output says that show prints, and a failure is as over HTTP', async () => {
  const { output } = (await print(['show', 'items.getItem', ...rich])).data as unknown as {
    output: { json: object };
  };
  const called = await print(['call', 'items.getItem', '{"id":"1"}', ...rich]);
  expect(called.data).toEqual({ id: '1', name: 'Pen' });
  expect(new Ajv2020().validate(output.json, called.data)).toBe(true);
  expect((await print(['call', 'items.findItem', '{"p":"1"}', ...rich])).notes).toHaveLength(1);
  const refused = await print(['call', 'items.getItem', '{"id":1}', ...rich]);
  expect(refused.error).toMatchObject({
    code: 'BadRequest',
    status: 400,
    meta: { issues: [expect.any(String)] },
  });
  expect(await print(['call', 'items.getItem', '{"id":"9"}', ...rich])).toMatchObject({
    ok: false,
    error: { code: 'NotFound', status: 404 },
  });
});

it('the document of new has the fields that the page names', () => {
  expect(created).toMatchObject({ ok: true });
  expectFields('## Commands', 'new', (created as Printed).data);
});

describe('the lines of dev and start', () => {
  const cause = { kind: 'change', files: ['src/a.ts'] } as const;
  const routes = [{ method: 'GET', path: '/items', key: 'items.listItems' }];
  const urls = ['http://localhost:3000'];
  const place = { file: '/shop/src/a.ts', line: 1, column: 2 };
  const failure = {
    code: 'ImportFailed',
    message: 'It threw',
    hint: 'Mend it',
    frame: '> 1 | a',
    place,
  } as const;
  const request = {
    id: '7-1',
    at: 0,
    method: 'GET',
    url: '/items?token=abc',
    status: 200,
    durationMs: 1.27,
  };
  const closed = {
    by: 'client',
    code: 1000,
    reason: '',
    calls: 2,
    received: 3,
    sent: 4,
    openMs: 1200.5,
  } as const;
  const savedFailure = {
    name: 'get',
    call: 'items.get',
    problems: ['status: wrong'],
    savedAt: '2026-11-29T20:00:00.000Z',
  } as const;
  const effect = {
    title: 'GET /items',
    changes: [{ of: 'queries', before: 2, after: 41 }],
    since: 0,
  } as const;
  /** Each kind, with all that it may have and with as little as it may. */
  const devEvents: {
    readonly [Kind in DevEvent['kind']]: readonly Extract<DevEvent, { kind: Kind }>[];
  } = {
    starting: [
      { kind: 'starting', cause },
      { kind: 'starting', cause: { kind: 'restart' } },
    ],
    ready: [
      { kind: 'ready', cause, durationMs: 51.7, urls, networkUrls: urls, routes },
      { kind: 'ready', cause: { kind: 'start' }, durationMs: 5, urls: [], routes: [] },
    ],
    failed: [
      { kind: 'failed', cause, failure, stillServing: true },
      {
        kind: 'failed',
        cause,
        failure: { code: 'NoServer', message: 'It ended' },
        stillServing: false,
      },
    ],
    'port-taken': [
      {
        kind: 'port-taken',
        cause,
        port: 3000,
        isFirst: true,
        owner: { pid: 7, program: 'nginx' },
        stillServing: false,
      },
      {
        kind: 'port-taken',
        cause,
        port: 3000,
        isFirst: true,
        owner: { pid: 7, program: undefined },
        stillServing: false,
      },
      {
        kind: 'port-taken',
        cause,
        port: 3000,
        isFirst: true,
        owner: undefined,
        stillServing: true,
      },
    ],
    exited: [
      { kind: 'exited', failure, exitCode: 1, signalName: undefined },
      { kind: 'exited', failure: undefined, exitCode: undefined, signalName: 'SIGKILL' },
    ],
    notice: [
      {
        kind: 'notice',
        notice: {
          code: 'RequestsCut',
          requests: [{ method: 'GET', url: '/items?token=abc', durationMs: 12.3 }],
        },
      },
      { kind: 'notice', notice: { code: 'Killed', graceMs: 3000 } },
      { kind: 'notice', notice: { code: 'StopsFirst', reason: 'a database is held' } },
      { kind: 'notice', notice: { code: 'StartGivenUp', durationMs: 1200.5 } },
      { kind: 'notice', notice: { code: 'MemoryLost' } },
      {
        kind: 'notice',
        notice: { code: 'SavedCalls', passed: 1, failing: [savedFailure], changed: [savedFailure] },
      },
    ],
    'watch-trouble': [
      {
        kind: 'watch-trouble',
        trouble: { code: 'FilesPolled', message: 'Polled', hint: 'Raise it' },
      },
    ],
    requests: [
      {
        kind: 'requests',
        requests: [
          request,
          { ...request, capability: 'a.b', bytes: 7, requestId: 'r' },
          { ...request, status: 101, closed },
        ],
      },
    ],
    jobs: [
      {
        kind: 'jobs',
        overview: {
          queues: [{ key: 'mails.send', waiting: 1, delayed: 0, active: 0, failed: 2 }],
          failed: [],
        },
      },
      { kind: 'jobs', overview: { queues: [], failed: [], trouble: 'Redis is away' } },
    ],
    'save-effect': [
      { kind: 'save-effect', effect },
      { kind: 'save-effect', effect: { ...effect, changes: [] } },
    ],
    output: [{ kind: 'output', stream: 'stderr', lines: ['a', 'b'] }],
  };
  const worker = { worker: 1, pid: 7 };
  const ended = { exitCode: 1, signalName: undefined };
  const startEvents: {
    readonly [Kind in StartEvent['kind']]: readonly Extract<StartEvent, { kind: Kind }>[];
  } = {
    ready: [
      {
        kind: 'ready',
        running: [{ url: urls[0], networkUrls: urls, routes }, { routes: [] }],
        workers: [worker],
      },
    ],
    'worker-ended': [
      { kind: 'worker-ended', ...worker, ...ended, restartMs: 100 },
      {
        kind: 'worker-ended',
        ...worker,
        exitCode: undefined,
        signalName: 'SIGKILL',
        restartMs: 100,
      },
    ],
    'worker-started': [{ kind: 'worker-started', ...worker }],
    restarting: [{ kind: 'restarting' }],
    restarted: [{ kind: 'restarted', workers: [worker] }],
    'restart-failed': [{ kind: 'restart-failed', ...worker, ...ended }],
    stopping: [{ kind: 'stopping' }],
  };
  const lines = {
    dev: Object.values(devEvents).flatMap((events) =>
      events.map((event) => toDevJson(event, new Date(0))),
    ),
    start: Object.values(startEvents).flatMap((events) =>
      events.map((event) => toStartJson(event, new Date(0))),
    ),
  };

  it.each(['dev', 'start'] as const)(
    'each line of %s has the fields of its row, and every row has a line',
    (name) => {
      const documents = lines[name]
        .flatMap((text) => text.trim().split('\n'))
        .map((line) => JSON.parse(line) as { readonly event: string; readonly code?: string });
      for (const document of documents) expectEvent(name, document);
      const told = documents.map(({ event, code }) =>
        event === 'notice' ? `notice ${code}` : event,
      );
      expect(new Set(readTable(`### \`capix ${name}\``).map((row) => row.name))).toEqual(
        new Set(told),
      );
      expect(JSON.stringify(documents)).not.toContain('abc');
    },
  );
});

it('every command with --json has a row', async () => {
  const commands = await readFile(join(packageRoot, 'docs', 'commands.md'), 'utf8');
  const withJson = commands
    .split(/^### /m)
    .filter((section) => section.startsWith('`capix') && section.includes('`--json`'))
    .map((section) => /capix ([\w-]+)/.exec(section)?.[1] ?? '')
    .filter((name) => name !== 'dev' && name !== 'start');
  expect(withJson.length).toBeGreaterThan(10);
  expect(readTable('## Commands').map(({ name }) => name)).toEqual(
    expect.arrayContaining(withJson),
  );
});
