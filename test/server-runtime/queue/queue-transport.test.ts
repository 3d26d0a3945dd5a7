import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, createServer, defaultErrors, defineContext, defineGuard } from '../../../server-runtime/index.ts';
import { type QueueOptions, queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

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
  const fast = { backoffMs: 1, ...(options.jobs as { 'mails.send'?: object } | undefined)?.['mails.send'] };
  const jobs = queueTransport({ ...options, capabilities: { mails: { send } }, jobs: { 'mails.send': fast } });
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

  it('does not try again what the caller did wrong, unless somebody asks for it', async () => {
    const { jobs, names } = await serve(toOptions(), (_name, run) => {
      if (run === 1) throw defaultErrors.NotFound('No address');
    });
    const wrong = await jobs.enqueue('mails.send', { name: 7 } as never);
    const missing = await jobs.enqueue('mails.send', { name: 'one' });
    await expect.poll(async () => (await jobs.failed('mails.send')).length).toBe(2);
    const failed = await jobs.failed('mails.send');
    expect(failed.find(({ id }) => id === wrong)).toMatchObject({
      attempts: 1,
      error: expect.stringContaining('BadRequest (400)'),
    });
    expect(failed.find(({ id }) => id === missing)).toMatchObject({ attempts: 1, error: 'NotFound (404): No address' });
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
    await jobs.enqueue('mails.send', { name: 'delayed' }, { delayMs: 300 });
    await server.start();
    await expect.poll(() => names).toEqual(['first', 'second', 'last', 'delayed']);
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
    resolve();
    await stopped;
    expect(ended).toHaveLength(2);
    expect(names).toHaveLength(2);
  });

  it('adds a job by itself, as its schedule says', async () => {
    const repeat = { cron: '* * * * * *', input: { name: 'tick' } };
    const { names } = await serve({ ...toOptions(), jobs: { 'mails.send': { repeat } } as never });
    await expect.poll(() => names[0]).toBe('tick');
  });

  it('begins so many within a time', async () => {
    const rate = { limit: 2, windowMs: 1_500 };
    const began: number[] = [];
    const { jobs } = await serve({ ...toOptions(), jobs: { 'mails.send': { rate } } as never }, () =>
      began.push(performance.now()),
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
    const { jobs, server } = await serve({ jobs: { 'mails.send': { repeat: { cron: '0 0 1 1 *' } } } as never });
    await jobs.enqueue('mails.send', { name: 'later' }, { delayMs: 5_000_000_000 });
    await server.stop();
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThanOrEqual(before);
  });
});

it('settings and jobs of a key that no capability has are refused', async () => {
  expect(() => queueTransport({ capabilities: {}, jobs: { 'mails.sent': {} } as never })).toThrow(/'mails.sent'/);
  const { jobs } = await serve();
  await expect(jobs.enqueue('mails.sent' as never, { name: 'one' })).rejects.toMatchObject({ status: 404 });
});

it('a guard refuses a job as it refuses a call', async () => {
  const mustBeUser = defineGuard(() => {
    throw defaultErrors.Unauthorized();
  });
  const jobs = queueTransport({ capabilities: { a: { run: capability(() => 'done').guard(mustBeUser) } } });
  const server = createServer({ transports: [jobs], logger: recordLog() });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await server.start();
  await jobs.enqueue('a.run', {});
  await expect.poll(async () => (await jobs.failed('a.run'))[0]?.error).toBe('Unauthorized (401): Unauthorized');
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
    const group = Object.fromEntries(Array.from({ length: 20 }, (_, each) => [`run${each}`, toRun(each)]));
    const jobs = queueTransport({ capabilities: { a: group }, url, prefix: `test:${count++}` });
    const server = createServer({ transports: [jobs], logger: recordLog() });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const adding = Promise.all(Object.keys(group).map((name) => jobs.enqueue(`a.${name}` as never, {} as never)));
    await server.start();
    await adding;
    await expect.poll(() => ran.length).toBe(20);
    expect(warnings).toEqual([]);
  });

  it('refuses a job at once where there is no Redis', async () => {
    const { jobs } = await serve({ url: 'redis://127.0.0.1:1', isWorker: false });
    await expect(jobs.enqueue('mails.send', { name: 'one' })).rejects.toMatchObject({ status: 503 });
  });
});
