import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defaultErrors, defineContext } from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

/** An application that enqueues, with jobs that no test may reach: its queue is away. */
function makeApplication() {
  const ran: string[] = [];
  const send = capability(z.object({ to: z.string() }), async ({ to }) => {
    ran.push(to);
    if (to === 'nobody') throw defaultErrors.NotFound('No such user');
    if (to === 'flaky' && ran.length === 1) throw new Error('down');
    if (to === 'chain') await jobs.enqueue('mails.send', { to: 'chained' });
  });
  const jobs = queueTransport({
    url: 'redis://127.0.0.1:1',
    capabilities: { mails: { send } },
    jobs: { 'mails.send': { attempts: 2 } },
  });
  const context = defineContext(() => ({
    jobs: jobs as { readonly enqueue: typeof jobs.enqueue },
  }));
  const cap = capability.withContext<{
    readonly jobs: { readonly enqueue: typeof jobs.enqueue };
  }>();
  const signUp = cap(z.object({ email: z.string() }), async ({ email }, ctx) => {
    await ctx.jobs.enqueue(
      'mails.send',
      { to: email },
      { jobId: `welcome ${email}`, delayMs: email === 'bob' ? 0 : 60_000 },
    );
    if (email === 'taken') throw defaultErrors.Conflict();
  });
  return { ran, options: { context, capabilities: { users: { signUp } } } };
}

describe('the jobs of a test server', () => {
  it('are collected with their delays, those of calls that succeeded, and none reaches its queue', async () => {
    const { ran, options } = makeApplication();
    await using api = await testServer({ ...options, jobs: 'collect' });
    for (const email of ['ada', 'taken', 'ada', 'bob'])
      await api.fetch('/users/sign-up', { json: { email } });
    await api.jobs.idle();
    expect(api.jobs.enqueued).toEqual([
      { key: 'mails.send', input: { to: 'ada' }, delayMs: 60_000 },
      { key: 'mails.send', input: { to: 'bob' } },
    ]);
    expect(ran).toEqual([]);
  });

  it('run one after another without their waits, with those that they enqueue, until none is left', async () => {
    const { ran, options } = makeApplication();
    await using api = await testServer({ ...options, jobs: 'run' });
    for (const email of ['flaky', 'chain'])
      await api.invoke({ capability: 'users.signUp', input: { email } });
    await api.jobs.idle();
    expect(ran).toEqual(['flaky', 'flaky', 'chain', 'chained']);
    expect(api.jobs.enqueued).toHaveLength(3);
  });

  it('reject where one is given up, once', async () => {
    const { options } = makeApplication();
    await using api = await testServer({ ...options, jobs: 'run' });
    await api.invoke({ capability: 'users.signUp', input: { email: 'nobody' } });
    await expect(api.jobs.idle()).rejects.toThrow(
      "The job mails.send 'welcome nobody' was given up at attempt 1 of 2: NotFound (404): No such user",
    );
    await expect(api.jobs.idle()).resolves.toBeUndefined();
  });

  it('belong to the server whose call enqueued them', async () => {
    const { options } = makeApplication();
    await using one = await testServer(options);
    await using other = await testServer(options);
    await one.invoke({ capability: 'users.signUp', input: { email: 'ada' } });
    expect([one.jobs.enqueued.length, other.jobs.enqueued.length]).toEqual([1, 0]);
  });

  it('never reach their queue, also where a hook enqueues them', async () => {
    const { options } = makeApplication();
    let enqueued: Promise<unknown> | undefined;
    const onResponse = (): void => {
      const { jobs } = options.context.build({} as never) as {
        jobs: { enqueue: (key: string, input: object) => Promise<string> };
      };
      enqueued = jobs.enqueue('mails.send', { to: 'hook' });
    };
    await using api = await testServer({ ...options, hooks: { onResponse } });
    await api.invoke({ capability: 'users.signUp', input: { email: 'ada' } });
    await enqueued;
    expect(api.jobs.enqueued.map(({ input }) => input)).toEqual([{ to: 'ada' }, { to: 'hook' }]);
  });

  it.each([
    [{ transports: [] }, 'testServer has no option `transports`.'],
    [{ job: 'run' }, 'testServer has no option `job`. Did you mean `jobs`?'],
  ])('are not had by an option that there is not: %j', async (options, says) => {
    await expect(testServer(options as never)).rejects.toThrow(says);
  });
});
