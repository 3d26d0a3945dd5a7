import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineMiddleware,
  type GroupTree,
  restTransport,
} from '../../../server-runtime/index.ts';
import { type QueueOptions, queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, json, recordLog } from '../../helpers/start-rest.ts';

type Jobs = ReturnType<typeof makeJobs>['jobs'];

/** The job `mails.send`, which notes what it is given, and does what `handle` does. */
function makeJobs(
  options: Partial<QueueOptions>,
  notes: string[],
  handle: (to: string, jobs: Jobs) => unknown,
) {
  const send = capability(z.object({ to: z.string() }), async ({ to }): Promise<void> => {
    notes.push(`ran ${to}`);
    await handle(to, jobs as never);
  });
  const jobs = queueTransport({
    ...options,
    capabilities: { mails: { send } },
    jobs: { 'mails.send': { backoffMs: 1, attempts: 2 } },
  });
  return { jobs };
}

interface StartOptions {
  readonly options: Partial<QueueOptions>;
  readonly capabilities: (jobs: Jobs, notes: string[]) => GroupTree;
  readonly handle?: (to: string, jobs: Jobs) => unknown;
}

async function start({ options, capabilities, handle = () => undefined }: StartOptions) {
  const notes: string[] = [];
  const { jobs } = makeJobs(options, notes, handle);
  const log = recordLog();
  const transports = [restTransport({ port: 0 }), jobs];
  const server = createServer({ capabilities: capabilities(jobs, notes), transports, logger: log });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const url = (await server.start()).find((each) => each.url !== undefined)?.url;
  const ask = (path: string) => fetch(`${url}${path}`, json({}));
  return { notes, jobs, log, ask, server };
}

const withCommit = (notes: string[]) =>
  defineMiddleware(async ({ next }) => {
    const passed = await next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    notes.push('committed');
    return passed;
  });

/** What every queue promises of jobs that a call adds. */
function describeWorkAfter(toOptions: () => Partial<QueueOptions>): void {
  it('a job is added when the call has succeeded, after all middleware; its id is there at once', async () => {
    const { notes, ask } = await start({
      options: toOptions(),
      capabilities: (jobs, found) => ({
        signUp: capability.use(withCommit(found))(async () => {
          const id = await jobs.enqueue('mails.send', { to: 'ada' }, { jobId: 'one' });
          found.push(`given ${id}`);
          return id;
        }),
      }),
    });
    expect(await (await ask('/sign-up')).json()).toEqual({ data: 'one' });
    await expect.poll(() => notes).toEqual(['given one', 'committed', 'ran ada']);
  });

  it('what a failed call added is not sent, also where its middleware failed at last; with now it is sent at once', async () => {
    const fails = defineMiddleware(async ({ next }) => {
      await next();
      throw defaultErrors.Conflict('The commit failed');
    });
    const { notes, ask, jobs } = await start({
      options: toOptions(),
      capabilities: (queue) => ({
        pay: capability.use(fails)(async () => {
          await queue.enqueue('mails.send', { to: 'never' });
          await queue.enqueue('mails.send', { to: 'now' }, { now: true });
        }),
      }),
    });
    expect((await ask('/pay')).status).toBe(409);
    await expect.poll(() => notes).toEqual(['ran now']);
    await jobs.enqueue('mails.send', { to: 'outside' });
    await expect.poll(() => notes).toEqual(['ran now', 'ran outside']);
  });

  it('what a stream adds is sent after its last item', async () => {
    const { promise, resolve } = defer();
    const { notes, ask } = await start({
      options: toOptions(),
      capabilities: (jobs, found) => ({
        exportRows: capability(async function* () {
          yield 1;
          await jobs.enqueue('mails.send', { to: 'ada' });
          await promise;
          found.push('last item');
          yield 2;
        }),
      }),
    });
    const answered = ask('/export-rows').then((response) => response.text());
    setTimeout(resolve, 200);
    expect(await answered).toContain('2');
    await expect.poll(() => notes).toEqual(['last item', 'ran ada']);
  });

  it('what a job adds is sent when that attempt has succeeded', async () => {
    let tries = 0;
    const { notes, jobs } = await start({
      options: toOptions(),
      capabilities: () => ({}),
      handle: async (to, queue) => {
        if (to !== 'first') return;
        tries++;
        await queue.enqueue('mails.send', { to: `second of ${tries}` });
        if (tries === 1) throw new Error('down');
      },
    });
    await jobs.enqueue('mails.send', { to: 'first' });
    await expect.poll(() => notes).toEqual(['ran first', 'ran first', 'ran second of 2']);
  });

  it('a key, an input and an option are checked at once, also in a call', async () => {
    const found: string[] = [];
    const { ask, notes, log } = await start({
      options: toOptions(),
      capabilities: (jobs) => ({
        pay: capability(async () => {
          await jobs.enqueue('mails.send', { to: 'never' });
          for (const [key, input, options] of [
            ['mails.sent', { to: 'a' }, {}],
            ['mails.send', { to: 7 }, {}],
            ['mails.send', { to: 'a' }, { delay: 1 }],
            ['mails.send', { to: 'a' }, { delayMs: '1' }],
          ] as const)
            await jobs
              .enqueue(key as never, input as never, options as never)
              .catch((error: Error) => {
                found.push(`${error.name}: ${error.message}`);
              });
          await jobs.enqueue('mails.send', { to: 7 } as never);
        }),
      }),
    });
    expect((await ask('/pay')).status).toBe(500);
    expect(found).toEqual([
      expect.stringMatching(/^TypeError: There is no job 'mails\.sent'/),
      expect.stringMatching(/^TypeError: .*mails\.send.*to: /),
      expect.stringMatching(/^TypeError: .*`delay`/),
      expect.stringMatching(/^RangeError: enqueue.delayMs/),
    ]);
    expect(log.errors).toHaveLength(1);
    expect(notes).toEqual([]);
  });
}

describe('in memory', () => {
  describeWorkAfter(() => ({}));

  it('what the last request enqueues is run before the server has stopped', async () => {
    const begun = defer();
    const last = defer();
    const { notes, ask, server } = await start({
      options: {},
      capabilities: (jobs, found) => ({
        pay: capability.use(withCommit(found))(async () => {
          await jobs.enqueue('mails.send', { to: 'ada' });
          begun.resolve();
          await last.promise;
        }),
      }),
      handle: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        notes.push('sent');
      },
    });
    const answered = ask('/pay');
    await begun.promise;
    const stopped = server.stop();
    last.resolve();
    expect((await answered).status).toBe(200);
    await stopped;
    expect(notes).toEqual(['committed', 'ran ada', 'sent']);
  });
});

describeWithRedis('in Redis', () => {
  let url = '';
  let count = 0;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  describeWorkAfter(() => ({ url, prefix: `after:${count++}` }));

  it('a call whose jobs no queue takes is 503, with a line for each that has key, id and input', async () => {
    const { ask, log } = await start({
      options: { url: 'redis://127.0.0.1:1', isWorker: false },
      capabilities: (jobs) => ({
        pay: capability(async () => {
          await jobs.enqueue('mails.send', { to: 'ada' }, { jobId: 'one' });
          await jobs.enqueue('mails.send', { to: 'bob' }, { jobId: 'two' });
          return 'paid';
        }),
      }),
    });
    expect((await ask('/pay')).status).toBe(503);
    expect(log.errors.map(({ message }) => message)).toEqual([
      `[capix] The job mails.send 'one' was not queued: connect ECONNREFUSED 127.0.0.1:1. Its input is {"to":"ada"}`,
      `[capix] The job mails.send 'two' was not queued: connect ECONNREFUSED 127.0.0.1:1. Its input is {"to":"bob"}`,
    ]);
  });
});
