import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  type Hooks,
  restTransport,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { type QueueOptions, queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

interface ServeOptions {
  readonly options?: Partial<QueueOptions>;
  /** Settings of the job. */
  readonly own?: object;
  readonly timeoutMs?: number;
  readonly hooks?: Hooks;
  readonly handle: (name: string, run: number) => unknown;
}

/** A server with the job `mails.send`, which does what `handle` does. */
async function serve({ options = {}, own = {}, timeoutMs, hooks = {}, handle }: ServeOptions) {
  const names: string[] = [];
  const plain = capability(z.object({ name: z.string() }), ({ name }) =>
    handle(name, names.push(name)),
  );
  const send = timeoutMs === undefined ? plain : plain.enhance(withTimeout(timeoutMs));
  const jobs = queueTransport({
    ...options,
    capabilities: { mails: { send } },
    jobs: { 'mails.send': { backoffMs: 1, ...own } },
  });
  const log = recordLog();
  const server = createServer({ transports: [jobs], logger: log, hooks, timeoutMs: 50 });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await server.start();
  return { jobs, names, server, log };
}

/** What every queue promises. `toOptions` gives a queue of its own to each test. */
function describePromises(toOptions: () => Partial<QueueOptions>): void {
  it('a slot and the next attempt wait for the end of the handler, also of one that outlives its timeout', async () => {
    let running = 0;
    let most = 0;
    const ended: string[] = [];
    const { jobs } = await serve({
      options: toOptions(),
      own: { maxJobs: 1, attempts: 2 },
      timeoutMs: 20,
      handle: async (name) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 150));
        running--;
        ended.push(name);
      },
    });
    await Promise.all(['a', 'b', 'c'].map((name) => jobs.enqueue('mails.send', { name })));
    await expect.poll(async () => (await jobs.failed('mails.send')).length).toBe(3);
    expect(most).toBe(1);
    expect(ended.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    const [first] = await jobs.failed('mails.send');
    expect(first).toMatchObject({ attempts: 2, error: expect.stringContaining('Timeout (504)') });
  });

  it('a job has no time limit unless it declares one', async () => {
    const { promise, resolve } = defer();
    const { jobs, names, log } = await serve({ options: toOptions(), handle: () => promise });
    await jobs.enqueue('mails.send', { name: 'long' });
    await expect.poll(() => names).toEqual(['long']);
    setTimeout(resolve, 200);
    await promise;
    await jobs.enqueue('mails.send', { name: 'next' });
    await expect.poll(() => names).toEqual(['long', 'next']);
    expect([log.errors, await jobs.failed('mails.send')]).toEqual([[], []]);
  });

  it('a job that streams runs to the last item', async () => {
    const items: number[] = [];
    const { jobs } = await serve({
      options: toOptions(),
      handle: async function* () {
        for (const item of [1, 2, 3]) {
          items.push(item);
          yield item;
        }
      },
    });
    await jobs.enqueue('mails.send', { name: 'stream' });
    await expect.poll(() => items).toEqual([1, 2, 3]);
  });

  it('a job that is given up is one error line with its id, its attempts and the wrong fields, also for 4xx', async () => {
    const givenUp: unknown[] = [];
    const { jobs, log } = await serve({
      options: toOptions(),
      own: { attempts: 3 },
      hooks: { onJobGivenUp: (job) => void givenUp.push(job) } as Hooks,
      handle: (name) => {
        if (name === 'missing')
          throw defaultErrors.BadRequest('Wrong', { issues: ['to: Invalid email'] });
        throw new Error('down');
      },
    });
    await jobs.enqueue('mails.send', { name: 'missing' }, { jobId: 'one' });
    await expect.poll(() => log.errors.length).toBe(1);
    await jobs.enqueue('mails.send', { name: 'ill' }, { jobId: 'two' });
    await expect.poll(async () => (await jobs.failed('mails.send')).length).toBe(2);
    expect(log.errors.map(({ message }) => message)).toEqual([
      "[capix] The job mails.send 'one' was given up at attempt 1 of 3: BadRequest (400): Wrong: to: Invalid email",
      "[capix] The job mails.send 'two' was given up at attempt 3 of 3: down",
    ]);
    expect(log.errors[1]?.error).toMatchObject({ message: 'down' });
    expect(log.warnings).toEqual([
      "[capix] The job mails.send 'two' failed at attempt 1 of 3, and is tried again: down",
      "[capix] The job mails.send 'two' failed at attempt 2 of 3, and is tried again: down",
    ]);
    expect(givenUp).toMatchObject([
      {
        capability: 'mails.send',
        jobId: 'one',
        attempts: 1,
        maxAttempts: 3,
        failure: { status: 400 },
      },
      {
        capability: 'mails.send',
        jobId: 'two',
        attempts: 3,
        maxAttempts: 3,
        failure: { status: 500 },
      },
    ]);
  });

  it('what can never be queued is a mistake where it is written, never a queue that is away', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const { jobs, names } = await serve({ options: toOptions(), handle: () => undefined });
    const refuse = async (
      kind: typeof TypeError | typeof RangeError,
      says: RegExp,
      input: unknown,
      options?: object,
    ) => {
      const adding = jobs.enqueue('mails.send', input as never, options);
      await expect(adding).rejects.toThrow(says);
      await expect(adding).rejects.toBeInstanceOf(kind);
    };
    await refuse(TypeError, /mails\.send.*bigint/i, { name: 'a', more: 1n });
    await refuse(TypeError, /circular/, circular);
    await refuse(TypeError, /function/, { name: 'a', more: () => {} });
    await refuse(TypeError, /NaN/, { name: 'a', more: Number.NaN });
    await refuse(TypeError, /Map/, { name: 'a', more: new Map() });
    await refuse(TypeError, /Float32Array/, { name: 'a', more: [new Float32Array(2)] });
    await refuse(TypeError, /name: .*string/, { name: 7 });

    const good = { name: 'a' };
    for (const order of [-1, 1.5, 2_097_152, Number.NaN, '1'])
      await refuse(RangeError, /order/, good, { order });
    for (const delayMs of [Number.NaN, Number.POSITIVE_INFINITY, -1, '60000'])
      await refuse(RangeError, /delayMs/, good, { delayMs });
    for (const jobId of [7, '', null, 'half \ud83d'])
      await refuse(TypeError, /jobId/, good, { jobId });
    await refuse(TypeError, /no option `delay`\. Did you mean `delayMs`\?/, good, {
      delay: 60_000,
    });
    await jobs.enqueue('mails.send', { name: 'last' }, { order: 2_097_151 });
    await expect.poll(() => names).toEqual(['last']);
  });

  it('a mistake of a handler that enqueues is 500 with its reason in the log, not 503 to be repeated', async () => {
    const jobs = queueTransport({
      ...toOptions(),
      capabilities: { a: { run: capability(() => 'done') } },
    });
    const ask = capability(() => jobs.enqueue('a.run', { size: 1n } as never));
    const log = recordLog();
    const server = createServer({
      capabilities: { ask },
      transports: [restTransport({ port: 0 }), jobs],
      logger: log,
    });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const [{ url } = { url: '' }] = await server.start();
    const response = await fetch(`${url}/ask`, { method: 'POST' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([500, null]);
    expect(log.errors.map(({ error }) => String(error))).toEqual([
      expect.stringMatching(/TypeError.*bigint/i),
    ]);
  });

  it('a job is its JSON: what was given may change, and what a handler changes is not there at the next attempt', async () => {
    const seen: string[] = [];
    const run = capability(z.object({ at: z.string(), list: z.array(z.number()) }), (input) => {
      seen.push(JSON.stringify(input));
      input.list.push(9);
      if (seen.length === 1) throw new Error('again');
    });
    const jobs = queueTransport({
      ...toOptions(),
      capabilities: { a: { run } },
      jobs: { 'a.run': { backoffMs: 1 } },
    });
    const server = createServer({ transports: [jobs], logger: recordLog() });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await server.start();
    const input = { at: new Date(0), list: [1] };
    await jobs.enqueue('a.run', input as never);
    input.list.push(2);
    const text = '{"at":"1970-01-01T00:00:00.000Z","list":[1]}';
    await expect.poll(() => seen).toEqual([text, text]);
  });

  it('a stop takes no harm from a job that fails meanwhile', async () => {
    const { promise, resolve } = defer();
    const { jobs, names, server } = await serve({
      options: toOptions(),
      handle: async () => {
        await promise;
        throw new Error('down');
      },
    });
    await jobs.enqueue('mails.send', { name: 'one' });
    await expect.poll(() => names).toEqual(['one']);
    const stopped = server.stop({ graceMs: 5_000 });
    resolve();
    await expect(stopped).resolves.toBeUndefined();
  });
}

describe('in memory', () => describePromises(() => ({})));

describeWithRedis('in Redis', () => {
  let url = '';
  let count = 0;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  describePromises(() => ({ url, prefix: `promises:${count++}` }));

  it('knows the last 1,000 jobs that are done, and no more', async () => {
    const options = { url, prefix: 'done' };
    const last = defer();
    let left = 1010;
    const { jobs } = await serve({
      options,
      handle: () => {
        if (--left === 0) last.resolve();
      },
    });
    for (let at = left; at > 0; at--) await jobs.enqueue('mails.send', { name: `${at}` });
    await last.promise;
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    await expect.poll(() => redis.llen('done:mails.send:active')).toBe(0);
    expect(await redis.zcard('done:mails.send:completed')).toBe(1000);
  });
});

const run = capability(z.object({ name: z.string() }), () => undefined);
const make = (settings: object, options: object = {}) =>
  queueTransport({
    capabilities: { mails: { run } },
    jobs: { 'mails.run': settings },
    ...options,
  } as never);

it.each([
  [{ maxJobs: 0 }, RangeError, 'maxJobs'],
  [{ attempts: -1 }, RangeError, 'attempts'],
  [{ attempts: '3' }, RangeError, 'attempts'],
  [{ retries: 3 }, TypeError, 'no option `retries`'],
  [{ maxJob: 3 }, TypeError, 'Did you mean `maxJobs`?'],
  [{ backoffMs: -1 }, RangeError, 'backoffMs'],
  [{ rate: { limit: 0, windowMs: 10 } }, RangeError, 'rate.limit'],
  [{ rate: { limit: 1, window: 10 } }, TypeError, 'Did you mean `windowMs`?'],
  [{ repeat: { cron: '* * * * *', tz: 'UTC' } }, TypeError, 'no option `tz`'],
  [{ repeat: { cron: '* * * * *', input: { name: () => 'x' } } }, TypeError, 'function'],
])('the settings %j of a job are refused where they are written', (settings, kind, says) => {
  expect(() => make(settings)).toThrow(kind as typeof Error);
  expect(() => make(settings)).toThrow(says);
});

it.each([
  [{ lockMs: 0 }, RangeError, 'lockMs'],
  [{ worker: false }, TypeError, 'Did you mean `isWorker`?'],
])('the option %j of the transport is refused', (options, kind, says) => {
  expect(() => make({}, options)).toThrow(kind as typeof Error);
  expect(() => make({}, options)).toThrow(says);
});

it('a schedule with an input that does not fit its schema does not start, and ends no process at its first tick', async () => {
  const jobs = make({ repeat: { cron: '* * * * * *', input: { name: 7 } } });
  const server = createServer({ transports: [jobs], logger: recordLog() });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await expect(server.start()).rejects.toThrow(/schedule of 'mails\.run'.*name: /);
});
