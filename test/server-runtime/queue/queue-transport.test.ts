import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../server-runtime/index.ts';
import { type QueueOptions, queueTransport } from '../../../server-runtime/queue/index.ts';
import type { JobBoard } from '../../../server-runtime/server/job.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

/** Looks at the jobs of the next server as `capix dev` does. */
function watchNext() {
  let board: JobBoard | undefined;
  const link = {
    watchJobs: (given: JobBoard) => {
      board = given;
      return () => {};
    },
    observe: <App>(app: App) => app,
    started: () => {},
  };
  const key = Symbol.for('capix.devLink');
  Object.defineProperty(globalThis, key, { value: link, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  return (): JobBoard => {
    if (board === undefined) throw new Error('No server has told of its jobs.');
    return board;
  };
}

const Input = z.object({ name: z.string() });

/** A server with the job `mails.send`, which tells the names that it gets, and does what `handle` does. */
async function serve(
  options: Partial<QueueOptions> = {},
  handle: (name: string, run: number) => unknown = () => undefined,
  { isStarted = true }: { readonly isStarted?: boolean } = {},
) {
  const names: string[] = [];
  const send = capability.withContext<{ user: string | undefined }>()(Input, ({ name }, ctx) => {
    names.push(ctx.user === undefined ? name : `${name} for ${ctx.user}`);
    return handle(name, names.length);
  });
  const fast = {
    backoffMs: 1,
    ...(options.jobs as { 'mails.send'?: object } | undefined)?.['mails.send'],
  };
  const jobs = queueTransport({
    ...options,
    capabilities: { mails: { send } },
    jobs: { 'mails.send': fast },
  });
  const log = recordLog();
  const server = createServer({
    context: defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined })),
    capabilities: {},
    transports: [jobs],
    logger: log,
  });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  if (isStarted) await server.start();
  return { jobs, names, server, log };
}

/** What every queue does. `toOptions` gives a queue of its own to each test. */
function describeQueue(toOptions: () => Partial<QueueOptions>): void {
  it('runs a job as a call of the capability: with context, guards and validation', async () => {
    const { jobs, names } = await serve(toOptions());
    await jobs.enqueue('mails.send', { name: 'one' }, { headers: { 'x-user': 'ann' } });
    await expect.poll(() => names).toEqual(['one for ann']);
  });

  it('tries again what failed with 5xx or something unforeseen, and keeps what failed for good', async () => {
    const { jobs, names } = await serve(
      { ...toOptions(), jobs: { 'mails.send': { attempts: 3 } } as never },
      (name, run) => {
        if (name === 'ok' && run === 1) throw new Error('down');
        if (name === 'never') throw defaultErrors.ServiceUnavailable();
      },
    );
    await jobs.enqueue('mails.send', { name: 'ok' });
    await expect.poll(() => names).toEqual(['ok', 'ok']);
    const id = await jobs.enqueue('mails.send', { name: 'never' });
    await expect
      .poll(async () => jobs.failed('mails.send'))
      .toEqual([
        expect.objectContaining({
          id,
          key: 'mails.send',
          input: { name: 'never' },
          attempts: 3,
          error: 'ServiceUnavailable (503): Service unavailable',
        }),
      ]);
    expect(names.filter((name) => name === 'never')).toHaveLength(3);
  });

  it('shows of a failed job what is documented of it', async () => {
    const { jobs } = await serve(toOptions(), () => {
      throw defaultErrors.NotFound();
    });
    await jobs.enqueue('mails.send', { name: 'one' }, { headers: { 'x-user': 'ann' } });
    await expect.poll(async () => (await jobs.failed('mails.send')).length).toBe(1);
    const [failed = {}] = await jobs.failed('mails.send');
    expect(Object.keys(failed).toSorted()).toEqual([
      'addedAtMs',
      'attempts',
      'error',
      'failedAtMs',
      'headers',
      'id',
      'input',
      'key',
      'maxAttempts',
    ]);
  });

  it('takes no job once it is stopped, and takes them again when it is started', async () => {
    const { jobs, names, server } = await serve(toOptions());
    await server.stop();
    await expect(jobs.enqueue('mails.send', { name: 'lost' })).rejects.toMatchObject({
      status: 503,
      cause: new Error('The queue has been stopped.'),
    });
    await server.start();
    await jobs.enqueue('mails.send', { name: 'again' });
    await expect.poll(() => names).toEqual(['again']);
  });

  it('does not try again what the caller did wrong, unless somebody asks for it', async () => {
    const { jobs, names } = await serve(toOptions(), (_name, run) => {
      if (run === 1) throw defaultErrors.NotFound('No address');
    });
    const missing = await jobs.enqueue('mails.send', { name: 'one' });
    await expect.poll(async () => (await jobs.failed('mails.send')).length).toBe(1);
    const [failed] = await jobs.failed('mails.send');
    expect(failed).toMatchObject({ id: missing, attempts: 1, error: 'NotFound (404): No address' });
    expect(await jobs.retry('mails.send', missing)).toBe(true);
    await expect.poll(() => names).toEqual(['one', 'one']);
    expect(await jobs.retry('mails.send', 'no such id')).toBe(false);
  });

  it('adds a job of one id once, runs lower orders first, and later ones later', async () => {
    const { jobs, names, server } = await serve(
      { ...toOptions(), jobs: { 'mails.send': { maxJobs: 1 } } as never },
      undefined,
      {
        isStarted: false,
      },
    );
    for (const [name, order] of [
      ['last', 3],
      ['second', 2],
      ['first', 1],
    ] as const)
      await jobs.enqueue('mails.send', { name }, { order, jobId: `id: ${name}` });
    await jobs.enqueue('mails.send', { name: 'again' }, { jobId: 'id: last' });
    await jobs.enqueue('mails.send', { name: 'delayed' }, { delayMs: 3_000 });
    await server.start();
    await expect.poll(() => names).toEqual(['first', 'second', 'last', 'delayed']);
  });

  it('takes every text for the id of a job, also one that looks like an id of the store', async () => {
    const { jobs, names } = await serve(toOptions(), (name) => {
      throw defaultErrors.NotFound(name);
    });
    const ids = ['repeat:x', 'repeat:x:y', 'repeat:repeat:1', 'id x', '7', '0:1', 'meta', 'wait'];
    for (const jobId of ids) {
      await jobs.enqueue('mails.send', { name: jobId }, { jobId });
      await jobs.enqueue('mails.send', { name: 'again' }, { jobId });
    }
    const failedIds = async () => (await jobs.failed('mails.send')).map(({ id }) => id).toSorted();
    await expect.poll(failedIds).toEqual(ids.toSorted());
    expect(names.toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(await jobs.retry('mails.send', id)).toBe(true);
    await expect.poll(() => names.length).toBe(2 * ids.length);
  });

  it('tries a failed job of a schedule again by the id that it is listed with', async () => {
    const repeat = { cron: '* * * * * *', input: { name: 'tick' } };
    const options = { ...toOptions(), jobs: { 'mails.send': { repeat } } as never };
    const { jobs, names } = await serve(options, (name, run) => {
      if (run === 1) throw defaultErrors.NotFound(name);
    });
    await expect.poll(() => jobs.failed('mails.send')).toHaveLength(1);
    const [failed] = await jobs.failed('mails.send');
    expect(await jobs.retry('mails.send', failed?.id ?? '')).toBe(true);
    await expect.poll(() => names.length).toBeGreaterThan(1);
    await expect.poll(() => jobs.failed('mails.send')).toEqual([]);
  });

  it('knows the id of a job that is done for a while, and of one that has failed', async () => {
    const { jobs, names } = await serve(toOptions(), (name) => {
      if (name === 'wrong') throw defaultErrors.NotFound();
    });
    for (const name of ['right', 'wrong'])
      await jobs.enqueue('mails.send', { name }, { jobId: `100% of: ${name}` });
    await expect
      .poll(async () => [names.length, (await jobs.failed('mails.send')).length])
      .toEqual([2, 1]);
    for (const name of ['right', 'wrong'])
      await jobs.enqueue('mails.send', { name }, { jobId: `100% of: ${name}` });
    await jobs.enqueue('mails.send', { name: 'other' });
    await expect.poll(() => names).toEqual(['right', 'wrong', 'other']);
    expect(await jobs.failed('mails.send')).toMatchObject([{ id: '100% of: wrong' }]);
    expect(await jobs.retry('mails.send', '100% of: wrong')).toBe(true);
    await expect.poll(() => names.at(-1)).toBe('wrong');
  });

  it('counts its jobs by phase, lists those that failed, the newest first, and tries them again', async () => {
    const board = watchNext();
    const { promise, resolve } = defer();
    const own = { 'mails.send': { maxJobs: 1 } } as never;
    const { jobs, names } = await serve({ ...toOptions(), jobs: own }, (name, run) => {
      if (name !== 'slow' && run <= 2) throw defaultErrors.NotFound('No address');
      return name === 'slow' ? promise : undefined;
    });
    const add = (name: string, options = {}) =>
      jobs.enqueue('mails.send', { name }, { jobId: name, ...options });
    for (const name of ['wrong', 'wronger', 'slow']) await add(name);
    await expect.poll(() => names).toEqual(['wrong', 'wronger', 'slow']);
    await add('next');
    await add('later', { delayMs: 600_000 });
    const counts = { key: 'mails.send', failed: 2, active: 1, waiting: 1, delayed: 1 };
    expect(await board().counts()).toEqual([counts]);
    const [newest] = await board().failed('mails.send', 1);
    expect(newest).toMatchObject({
      id: 'wronger',
      attempts: 1,
      maxAttempts: 5,
      input: { name: 'wronger' },
    });
    expect(newest?.failedAtMs).toBeGreaterThan(Date.now() - 60_000);
    expect((await board().failed('mails.send', 9)).map(({ id }) => id)).toEqual([
      'wronger',
      'wrong',
    ]);
    expect(await board().retry('mails.send', 'wrong')).toBe(true);
    expect([
      await board().retry('mails.send', 'slow'),
      await board().retry('mails.send', 'none'),
    ]).toEqual([false, false]);
    resolve();
    await expect
      .poll(() => names.toSorted())
      .toEqual(['next', 'slow', 'wrong', 'wrong', 'wronger']);
    await expect
      .poll(() => board().counts())
      .toEqual([{ ...counts, failed: 1, active: 0, waiting: 0 }]);
  });

  it('refuses to start with a schedule that cannot be read', async () => {
    const repeat = { cron: '0 25 * * *', timezone: 'Europe/Berlin' };
    await expect(
      serve({ ...toOptions(), jobs: { 'mails.send': { repeat } } as never }),
    ).rejects.toThrow(
      /^queueTransport jobs: the schedule of 'mails.send', '0 25 \* \* \*' in 'Europe\/Berlin', cannot be read: /,
    );
  });

  it('runs so many at once, and waits at the end for those under way', async () => {
    const { promise, resolve } = defer();
    const ended: string[] = [];
    const { jobs, names, server } = await serve(
      { ...toOptions(), jobs: { 'mails.send': { maxJobs: 2 } } as never },
      async (name) => {
        await promise;
        ended.push(name);
      },
    );
    for (const name of ['a', 'b', 'c']) await jobs.enqueue('mails.send', { name });
    await expect.poll(() => names.length).toBe(2);
    const stopped = server.stop({ graceMs: 10_000 });
    // A place that is free before the queue has heard of the end may still be taken.
    await nextTurn();
    resolve();
    await stopped;
    expect(ended).toHaveLength(2);
    expect(names).toHaveLength(2);
  });

  it('adds a job by itself, as its schedule says, and tries it again as every job', async () => {
    const repeat = { cron: '* * * * * *', input: { name: 'tick' } };
    const mails = { repeat, attempts: 2, backoffMs: 1 };
    const { jobs, names } = await serve(
      { ...toOptions(), jobs: { 'mails.send': mails } as never },
      () => {
        throw defaultErrors.ServiceUnavailable();
      },
    );
    const failed = {
      input: { name: 'tick' },
      attempts: 2,
      error: 'ServiceUnavailable (503): Service unavailable',
    };
    await expect
      .poll(() => jobs.failed('mails.send'))
      .toContainEqual(expect.objectContaining(failed));
    const [{ id } = { id: '' }] = await jobs.failed('mails.send');
    const before = names.length;
    expect(await jobs.retry('mails.send', id)).toBe(true);
    await expect.poll(() => names.length).toBeGreaterThan(before);
  });

  it('reads a schedule by the parser that checked it: here with a field for the year', async () => {
    const repeat = {
      cron: '* * * * * * 2020-2099',
      timezone: 'Asia/Kolkata',
      input: { name: 'tick' },
    };
    const { names } = await serve({ ...toOptions(), jobs: { 'mails.send': { repeat } } as never });
    await expect.poll(() => names.length).toBeGreaterThan(1);
  });

  it('begins so many within a time', async () => {
    const rate = { limit: 2, windowMs: 1_500 };
    const began: number[] = [];
    const { jobs } = await serve(
      { ...toOptions(), jobs: { 'mails.send': { rate } } as never },
      () => began.push(performance.now()),
    );
    for (const name of ['a', 'b', 'c']) await jobs.enqueue('mails.send', { name });
    await expect.poll(() => began.length).toBe(3);
    expect((began[2] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(200);
  });
}

describe('in memory', () => {
  describeQueue(() => ({}));

  it('leaves no timer when it stops', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { jobs, server } = await serve({
      jobs: { 'mails.send': { repeat: { cron: '0 0 1 1 *', input: { name: 'tick' } } } } as never,
    });
    await jobs.enqueue('mails.send', { name: 'later' }, { delayMs: 5_000_000_000 });
    await server.stop();
    expect(
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    ).toBeLessThanOrEqual(before);
  });
});

it('settings and jobs of a key that no capability has are refused', async () => {
  expect(() => queueTransport({ capabilities: {}, jobs: { 'mails.sent': {} } as never })).toThrow(
    /'mails.sent'/,
  );
  const { jobs } = await serve();
  await expect(jobs.enqueue('mails.sent' as never, { name: 'one' })).rejects.toThrow(
    "There is no job 'mails.sent'. Did you mean `mails.send`?",
  );
});

it('a guard refuses a job as it refuses a call', async () => {
  const mustBeUser = defineGuard(() => {
    throw defaultErrors.Unauthorized();
  });
  const jobs = queueTransport({
    capabilities: { a: { run: capability(() => 'done').guard(mustBeUser) } },
  });
  const server = createServer({ transports: [jobs], logger: recordLog() });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await server.start();
  await jobs.enqueue('a.run', {});
  await expect
    .poll(async () => (await jobs.failed('a.run'))[0]?.error)
    .toBe('Unauthorized (401): Unauthorized');
});

describeWithRedis('BullMQ', () => {
  let url = '';
  let count = 0;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  describeQueue(() => ({ url, prefix: `test:${count++}` }));

  it('three servers take jobs that a fourth one adds, each once', async () => {
    const prefix = `test:${count++}`;
    const workers = await Promise.all([1, 2, 3].map(() => serve({ url, prefix })));
    const { jobs } = await serve({ url, prefix, isWorker: false });
    const sent = Array.from({ length: 200 }, (_, each) => `${each}`);
    await Promise.all(sent.map((name) => jobs.enqueue('mails.send', { name })));
    const taken = (): readonly string[] => workers.flatMap(({ names }) => names);
    await expect.poll(() => taken().length).toBeGreaterThanOrEqual(200);
    expect(taken().toSorted()).toEqual(sent.toSorted());
  });

  it('gives the job of a process that has died to another one', async () => {
    const prefix = `test:${count++}`;
    const dying = await serve({ url, prefix, lockMs: 500 }, () => new Promise(() => {}));
    await dying.jobs.enqueue('mails.send', { name: 'one' });
    await expect.poll(() => dying.names).toEqual(['one']);
    await dying.server.stop({ graceMs: 0 });
    const { names } = await serve({ url, prefix, lockMs: 500 });
    await expect.poll(() => names).toEqual(['one']);
  });

  it('many jobs at once wait for one connection, and many queues share two, without a warning of Node', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const ran: number[] = [];
    const toRun = (each: number) => capability(() => void ran.push(each));
    const group = Object.fromEntries(
      Array.from({ length: 20 }, (_, each) => [`run${each}`, toRun(each)]),
    );
    const jobs = queueTransport({ capabilities: { a: group }, url, prefix: `test:${count++}` });
    const server = createServer({ transports: [jobs], logger: recordLog() });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const adding = Promise.all(
      Object.keys(group).map((name) => jobs.enqueue(`a.${name}` as never, {} as never)),
    );
    await server.start();
    await adding;
    await expect.poll(() => ran.length).toBe(20);
    expect(warnings).toEqual([]);
  });

  it('goes on under load, with its schedule, when Redis was killed and comes back empty', async () => {
    const redis = await startRedis();
    const repeat = { cron: '* * * * * *', input: { name: 'tick' } };
    const { jobs, names } = await serve({
      url: redis.url,
      jobs: { 'mails.send': { repeat } } as never,
    });
    const statuses: number[] = [];
    let isLoaded = true;
    const addOne = async (): Promise<void> => {
      const adding = jobs.enqueue('mails.send', { name: 'load' });
      statuses.push(
        await adding.then(
          () => 200,
          (error: { readonly status: number }) => error.status,
        ),
      );
      if (isLoaded) await addOne();
    };
    const load = Promise.all(Array.from({ length: 10 }, addOne));
    await expect.poll(() => names.filter((name) => name === 'load').length).toBeGreaterThan(50);
    await expect.poll(() => names).toContain('tick');
    await redis.kill();
    await expect.poll(() => statuses).toContain(503);
    await redis.restart();
    const later = names.length;
    await expect.poll(() => new Set(names.slice(later))).toEqual(new Set(['load', 'tick']));
    isLoaded = false;
    await load;
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  it('refuses a job after some seconds where Redis hangs, and takes jobs once it answers again', async () => {
    const redis = await startRedis();
    const { jobs } = await serve({ url: redis.url, isWorker: false });
    await jobs.enqueue('mails.send', { name: 'before' });
    redis.freeze();
    await expect(jobs.enqueue('mails.send', { name: 'lost' })).rejects.toMatchObject({
      status: 503,
    });
    redis.thaw();
    await expect
      .poll(() => jobs.enqueue('mails.send', { name: 'later' }).catch(() => undefined))
      .toEqual(expect.any(String));
  });

  it('refuses a job at once where there is no Redis', async () => {
    const { jobs } = await serve({ url: 'redis://127.0.0.1:1', isWorker: false });
    await expect(jobs.enqueue('mails.send', { name: 'one' })).rejects.toMatchObject({
      status: 503,
    });
  });
});
