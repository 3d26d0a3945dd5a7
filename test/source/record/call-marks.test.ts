import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  defineGuard,
  defineMiddleware,
  type ServerOptions,
  silentLogger,
  toNodeHandler,
  trace,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { DevLink } from '../../../server-runtime/server/dev-link.ts';
import type { Mark, Marks } from '../../../source/record/call-marks.ts';
import { toShownName } from '../../../source/record/replace-url-secrets.ts';
import type { RequestRecord } from '../../../source/record/request-record.ts';
import { RequestRecorder } from '../../../source/record/request-recorder.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';

const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The requests of a server that is recorded as under `capix dev`. */
async function record(options: ServerOptions) {
  const records: RequestRecord[] = [];
  const recorder = new RequestRecorder((requests) => void records.push(...requests), 100);
  const link: Pick<DevLink, 'observe' | 'observer' | 'started'> = {
    observe: recorder.observe,
    observer: recorder.observer,
    started: () => {},
  };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
  const server = createServer({ logger: silentLogger, ...options } as never);
  const http = createHttpServer(toNodeHandler(server));
  await once(http.listen(0), 'listening');
  onTestFinished(() => void http.close());
  recorder.attach(http);
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const toMarksOf = async (at: number): Promise<Marks> => {
    await expect.poll(() => (recorder.flush(), records[at]?.details?.marks)).toBeDefined();
    return records[at]?.details?.marks as Marks;
  };
  return { url, server, records, recorder, toMarksOf };
}

/** `handler a.b > trace read` */
function toText(mark: Mark, list: readonly Mark[]): string {
  const own = `${mark.kind} ${mark.name}`.trim();
  const outer = mark.inside === undefined ? undefined : list[mark.inside];
  return outer === undefined ? own : `${toText(outer, list)} > ${own}`;
}

it('a call has its steps with their times, in their order and inside of one another', async () => {
  const createOrder = capability
    .withContext<{ user: string; requestId: string; signal: AbortSignal; log: never }>()(
      z.object({ count: z.coerce.number() }),
      async ({ count }, ctx) => {
        await trace(ctx, 'read prices', pause);
        return { count };
      },
    )
    .guard(defineGuard(pause, { name: 'mustBeUser' }))
    .guard(defineGuard(() => {}, { name: 'mayOrder' }))
    .enhance(defineMiddleware(({ next }) => next(), { name: 'inTenant' }))
    .output(z.object({ count: z.number() }));
  const { url, toMarksOf } = await record({
    context: defineContext(async ({ resources }) => {
      await pause();
      resources.defer(pause);
      return { user: 'ada' };
    }),
    capabilities: { orders: { createOrder } },
  });
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"count": 2}' };
  expect(await (await fetch(`${url}/orders`, init)).json()).toEqual({ data: { count: 2 } });
  const { list, counts } = await toMarksOf(0);
  expect(list.map((mark) => toText(mark, list))).toEqual([
    'context',
    'guard mustBeUser',
    'guard mayOrder',
    'reading',
    'validation',
    'middleware inTenant',
    'middleware inTenant > handler orders.createOrder',
    'middleware inTenant > handler orders.createOrder > trace read prices',
    'output',
    'sending',
    'sending > release',
  ]);
  expect(list.every(({ tookMs = -1 }) => tookMs >= 0)).toBe(true);
  for (const { atMs, tookMs = 0, inside } of list) {
    const outer = inside === undefined ? undefined : list[inside];
    expect(atMs).toBeGreaterThanOrEqual(outer?.atMs ?? 0);
    expect(atMs + tookMs).toBeLessThanOrEqual(
      outer ? outer.atMs + (outer.tookMs ?? 0) + 0.01 : Infinity,
    );
  }
  expect(counts).toMatchObject({ guard: 2, trace: 1, handler: 1 });
});

it('a call that a guard refuses, or whose body cannot be read, ends with that step', async () => {
  const createOrder = capability(z.object({ count: z.number() }), () => 1).guard(
    defineGuard(
      (ctx: { requestId: string }) => {
        if (ctx.requestId === 'refused') throw new Error('no');
      },
      { name: 'mayOrder' },
    ),
  );
  const { url, toMarksOf } = await record({ capabilities: { orders: { createOrder } } });
  const send = async (id: string, body: string): Promise<unknown> =>
    (
      await fetch(`${url}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': id },
        body,
      })
    ).text();
  await send('refused', '{"count": 2}');
  const refused = await toMarksOf(0);
  expect(refused.list).toMatchObject([
    { kind: 'context' },
    { kind: 'guard', name: 'mayOrder', result: 'failed' },
  ]);
  await send('broken', '{');
  const broken = await toMarksOf(1);
  expect(broken.list.map(({ kind }) => kind)).toEqual(['context', 'guard', 'reading']);
  expect(broken.list.every(({ tookMs }) => tookMs !== undefined)).toBe(true);
});

it('a server that nothing looks at runs the very functions that it was given', async () => {
  const handler = (): string => 'one';
  const capabilities = { texts: { getText: capability(handler) } };
  const plain = createServer({ capabilities, logger: silentLogger });
  expect(plain.registry.find('texts.getText')?.steps()).toMatchObject({
    handle: handler,
    runs: [],
    checkGuards: undefined,
  });
  const { server } = await record({ capabilities });
  expect(server.registry.find('texts.getText')?.steps().handle).not.toBe(handler);
});

it('a part that throws, and one of no call, give what they give', async () => {
  const seen: unknown[] = [];
  const getText = capability(async (_input, ctx) => {
    const fail = (): never => {
      throw new TypeError('no');
    };
    try {
      trace(ctx, 'fail', fail);
    } catch (thrown) {
      seen.push(thrown);
    }
    return 'one';
  });
  const { url, toMarksOf } = await record({ capabilities: { texts: { getText } } });
  await (await fetch(`${url}/texts`)).text();
  const { list } = await toMarksOf(0);
  expect(seen).toEqual([new TypeError('no')]);
  expect(list).toContainEqual(
    expect.objectContaining({ kind: 'trace', name: 'fail', result: 'failed' }),
  );
  expect(trace('db', 'select 1', () => 7)).toBe(7);
  expect(trace({} as never, 'no call', () => 8)).toBe(8);
});

describeWithRedis('the waits of a call', () => {
  it('what the handler waits for is a mark inside of it: fetch, node:http, ioredis, PGlite, a job and a line', async () => {
    const other = createHttpServer((_request, response) => response.end('far')).listen(0);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const far = `http://localhost:${(other.address() as AddressInfo).port}`;
    const redis = new Redis((await startRedis()).url);
    onTestFinished(() => redis.disconnect());
    await redis.ping();
    const db = new PGlite();
    onTestFinished(() => db.close());
    await db.exec('create table lines (id int)');
    const query = db.query.bind(db);
    db.query = ((text: string, ...more: []) =>
      trace('db', text, () => query(text, ...more))) as never;
    const jobs = queueTransport({
      capabilities: { emails: { send: capability(() => {}) } },
      isWorker: false,
    });
    const listAll = capability(async () => {
      await (await fetch(`${far}/rates?token=topsecret&of=EUR`)).text();
      await new Promise((resolve) =>
        request(`${far}/old`, (answer) => answer.resume().on('end', resolve)).end(),
      );
      await redis.get('user:4711');
      for (const id of [1, 2, 3, 4, 5, 6])
        await db.query('select * from lines where id = $1', [id] as never);
      await jobs.enqueue('emails.send', {});
      process.stdout.write('all is there\n');
      return 'one';
    });
    const { url, server, toMarksOf } = await record({
      capabilities: { texts: { listAll } },
      transports: [jobs],
    });
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await (await fetch(`${url}/texts`)).text();
    const { list, counts, repeated } = await toMarksOf(0);
    const handler = list.findIndex(({ kind }) => kind === 'handler');
    const waits = list.filter(({ inside }) => inside === handler);
    expect(waits.map(({ kind, name, result }) => [kind, name, result])).toEqual([
      ['http', `GET ${far}/rates?token=•••&of=EUR`, '200'],
      ['http', `GET ${far}/old`, '200'],
      ['redis', 'GET user:?', undefined],
      ...Array.from({ length: 6 }, () => ['db', 'select * from lines where id = $1', undefined]),
      ['job', 'emails.send', undefined],
      ['log', 'all is there', undefined],
    ]);
    expect(counts).toMatchObject({ http: 2, redis: 1, db: 6, job: 1, log: 1 });
    expect(repeated).toMatchObject([
      { kind: 'db', name: 'select * from lines where id = $1', times: 6 },
    ]);
    expect(JSON.stringify(list)).not.toContain('topsecret');
  });
});

it('a call has at most 200 marks, its last steps among them, and counts the others', async () => {
  const getText = capability(async (_input, ctx) => {
    for (let at = 0; at < 300; at += 1) await trace(ctx, `part ${at % 2}`, pause);
    return 'one';
  });
  const { url, toMarksOf } = await record({ capabilities: { texts: { getText } } });
  await (await fetch(`${url}/texts`)).text();
  const { list, counts, repeated } = await toMarksOf(0);
  expect(list.length).toBeLessThanOrEqual(200);
  expect(list.at(-1)).toMatchObject({ kind: 'sending' });
  expect(counts).toMatchObject({ trace: 300 });
  expect(repeated.map(({ name, times }) => [name, times]).toSorted()).toEqual([
    ['part 0', 150],
    ['part 1', 150],
  ]);
});

it('a job and a stream have marks, too', async () => {
  const send = capability(async (_input, ctx) => trace(ctx, 'hand over', pause));
  const jobs = queueTransport({ capabilities: { emails: { send } } });
  const getTexts = capability(async function* (_input, ctx) {
    yield await trace(ctx, 'first', async () => 'one');
    yield await trace(ctx, 'second', async () => 'two');
  }, 'query');
  const { url, server, records, recorder, toMarksOf } = await record({
    capabilities: { texts: { getTexts } },
    transports: [jobs],
  });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await jobs.enqueue('emails.send', {});
  const ofJob = await toMarksOf(0);
  expect(records[0]).toMatchObject({ method: 'JOB', capability: 'emails.send', status: 200 });
  expect(ofJob.list.map((mark) => toText(mark, ofJob.list))).toEqual(
    expect.arrayContaining(['context', 'handler emails.send > trace hand over']),
  );
  await (await fetch(`${url}/texts`)).text();
  const ofStream = await toMarksOf(1);
  expect(ofStream.list.map((mark) => toText(mark, ofStream.list))).toEqual(
    expect.arrayContaining(['sending > trace first', 'sending > trace second']),
  );
  recorder.flush();
});

it.each([
  ["select * from a where b = 'it''s' and c=12.5", 'select * from a where b = ? and c=?'],
  ['select  $1::int,\n "t2"."c3" from t2 limit 20', 'select $1::int, "t2"."c3" from t2 limit ?'],
  ['select $tag$ secret $tag$, -3', 'select ?, ?'],
])('the statement %s is shown without its values', (sql, shown) => {
  expect(toShownName('db', sql)).toBe(shown);
});
