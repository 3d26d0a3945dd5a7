// Boundary: a Redis that others can write to. Promises: a record is data and never code, what others put there stops
// nobody, and no job runs as another capability than that of its queue.
import { Queue } from 'bullmq';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  type Store,
  toFetchHandler,
  withCache,
  withIdempotency,
} from '../../server-runtime/index.ts';
import { type QueueOptions, queueTransport } from '../../server-runtime/queue/index.ts';
import { readJob } from '../../server-runtime/queue/read-job.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';
import { recordLog } from '../helpers/start-rest.ts';

describeWithRedis('a queue into which others write', () => {
  let url = '';
  let count = 0;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });

  /** A queue of two jobs that run one after another, and a way into the first for others. */
  async function open() {
    const ran: string[] = [];
    const toRun = (name: string) =>
      capability.withContext<{ user: string }>()(z.object({ to: z.string() }), ({ to }, ctx) => {
        ran.push(`${name} ${to} as ${ctx.user}`);
      });
    const prefix = `security:${count++}`;
    const options: Partial<QueueOptions> = { jobs: { 'emails.send': { maxJobs: 2 } } as never };
    const jobs = queueTransport({
      ...options,
      url,
      prefix,
      capabilities: { emails: { send: toRun('send') }, admin: { purge: toRun('purge') } },
    });
    const log = recordLog();
    const context = defineContext(({ headers }) => ({ user: `${headers['x-user'] ?? 'nobody'}` }));
    const server = createServer({ context, capabilities: {}, transports: [jobs], logger: log });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await server.start();
    const { hostname: host, port } = new URL(url);
    const foreign = new Queue('emails.send', { prefix, connection: { host, port: Number(port) } });
    onTestFinished(() => foreign.close());
    return { jobs, ran, log, foreign };
  }

  it('runs its own jobs behind any number of others, which are failed and logged', async () => {
    const { jobs, ran, log, foreign } = await open();
    for (let at = 0; at < 10; at++) await foreign.add('send', { input: { to: `${at}` } });
    await jobs.enqueue('emails.send', { to: 'ada' }, { headers: { 'x-user': 'alice' } });
    await expect.poll(() => ran).toEqual(['send ada as alice']);
    await expect.poll(() => jobs.failed('emails.send')).toHaveLength(10);
    expect((await jobs.failed('emails.send'))[0]).toMatchObject({
      key: 'emails.send',
      attempts: 1,
      error:
        'BadRequest (400): This is not a job of the queue emails.send: the name of the job is "send"',
    });
    expect(
      log.errors.filter(({ message }) => message.includes('not a job of the queue')),
    ).toHaveLength(10);
  });

  it.each([
    ['the key of another job', { key: 'admin.purge', input: { to: 'a' } }, 'send a as nobody'],
    ['an id of its own', { id: 'mine', input: { to: 'b' } }, 'send b as nobody'],
    ['attempts of its own', { attempts: 99, input: { to: 'c' } }, 'send c as nobody'],
    ['unsafe keys', JSON.parse('{"input":{"to":"d","__proto__":{"x":1}}}'), 'send d as nobody'],
  ])('takes nothing but input and headers from data with %s', async (_what, data, line) => {
    const { ran, foreign } = await open();
    await foreign.add('emails.send', data);
    await expect.poll(() => ran).toEqual([line]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each([
    ['null', null, 'its data is not an object'],
    ['a text', 'text', 'its data is not an object'],
    ['a list', [], 'its data is not an object'],
    [
      'headers that are a text',
      { input: { to: 'a' }, headers: 'x' },
      'its `headers` are not an object of texts',
    ],
    [
      'headers that are a list',
      { input: { to: 'a' }, headers: [] },
      'its `headers` are not an object of texts',
    ],
    [
      'a header that is a list',
      { input: {}, headers: { a: ['b'] } },
      'its `headers` are not an object of texts',
    ],
    ['no input', {}, 'Input validation failed'],
    ['an input of a wrong type', { input: { to: 1 } }, 'Input validation failed'],
    ['an input that is a list', { input: [] }, 'Input validation failed'],
  ])('fails a job whose data is %s, once and for all', async (_what, data, error) => {
    const { jobs, ran, foreign } = await open();
    await foreign.add('emails.send', data, { attempts: 3 });
    await expect
      .poll(async () => (await jobs.failed('emails.send'))[0]?.error ?? '')
      .toContain(error);
    expect(ran).toEqual([]);
  });
});

it('reads whatever there is in a queue as data of that queue alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.anything(), (name, data) => {
      const { headers, problem } = readJob('emails.send', name, data);
      if (name !== 'emails.send') expect(problem).toBeDefined();
      for (const value of Object.values(headers)) expect(value).toBeTypeOf('string');
    }),
    { numRuns: countInputs(300) },
  );
});

/** A store in which every key has a value that others have put there, until it is set anew. */
function createForeignStore(foreign: string): Store {
  const own = new Map<string, string>();
  const read = (key: string) => own.get(key) ?? foreign;
  return {
    name: 'foreign',
    get: read,
    set: (key, value) => void own.set(key, value),
    swap: (key, { from, to }) => {
      const had = read(key);
      if (had === from && to !== undefined) own.set(key, to);
      return had;
    },
    consume: () => ({ calls: 1, resetMs: 1 }),
  };
}

const foreignRecords = [
  ['an empty text', ''],
  ['a text', 'hello'],
  ['JSON that is broken off', '{"print":'],
  ['null', 'null'],
  ['a number', '7'],
  ['a list of nothing', '[]'],
  ['a list of one', '[1]'],
  ['an object of others', '{"a":1}'],
  ['another version', '{"version":2,"print":7}'],
  ['a reference to nowhere', '[[1,99]]'],
  ['an unsafe key', '[{"__proto__":1},2]'],
  ['an error that is none', '{"print":"p","error":{"status":"500"}}'],
  ['an error without a name', '{"print":"p","error":{"status":404}}'],
  ['an owner that is none', '{"print":"p","owner":7}'],
] as const;

describe('a record that cannot be read', () => {
  const items = {
    listItems: capability(() => 'made', 'query').enhance(withCache({ ttlMs: 60_000 })),
    createItem: capability(() => 'made').enhance(withIdempotency({ ttlMs: 60_000 })),
  };
  const serve = (record: string) => {
    const log = recordLog();
    const store = createForeignStore(record);
    const server = createServer({ capabilities: { items }, store, logger: log });
    return { answer: toFetchHandler(server), log };
  };

  it.each(foreignRecords)('is a miss of a cache, which is told once: %s', async (_what, record) => {
    const { answer, log } = serve(record);
    const statuses: number[] = [];
    for (const query of ['', '?a=1', '?a=2'])
      statuses.push((await answer(new Request(`http://a.test/items${query}`))).status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(log.warnings.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
  });

  it.each(foreignRecords)('is 409 for a key, which runs nothing: %s', async (_what, record) => {
    const { answer } = serve(record);
    const headers = { 'idempotency-key': '"a"' };
    const response = await answer(new Request('http://a.test/items', { method: 'POST', headers }));
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: 'Conflict' });
  });

  it('is neither an answer nor a fault, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (record) => {
        const { answer } = serve(record);
        expect((await answer(new Request('http://a.test/items'))).status).toBe(200);
        const headers = { 'idempotency-key': '"a"' };
        const sent = new Request('http://a.test/items', { method: 'POST', headers });
        expect((await answer(sent)).status).toBe(409);
      }),
      { numRuns: countInputs(100) },
    );
  });
});
