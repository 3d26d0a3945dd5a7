import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type ContextOf,
  capability,
  createServer,
  defineContext,
} from '../../server-runtime/index.ts';
import { type FailedJob, queueTransport } from '../../server-runtime/queue/index.ts';

const send = capability(
  z.object({ to: z.string(), copies: z.number().default(1) }),
  ({ to }) => to,
);
const clean = capability(() => 'done');
const capabilities = { emails: { send }, clean };

describe('jobs', () => {
  const jobs = queueTransport({
    capabilities,
    jobs: { 'emails.send': { maxJobs: 5 }, clean: { attempts: 1 } },
  });

  it('are added by their keys, with what their schemas take', async () => {
    expectTypeOf(jobs.enqueue('emails.send', { to: 'ada' })).resolves.toEqualTypeOf<string>();
    await jobs.enqueue(
      'emails.send',
      { to: 'ada', copies: 2 },
      { delayMs: 1000, jobId: 'a', order: 1, headers: {} },
    );
    // @ts-expect-error: there is no such key
    await jobs.enqueue('emails.sent', { to: 'ada' });
    // @ts-expect-error: a group is no capability
    await jobs.enqueue('emails', { to: 'ada' });
    // @ts-expect-error: it is called `to`
    await jobs.enqueue('emails.send', { too: 'ada' });
    // @ts-expect-error: it is a text
    await jobs.enqueue('emails.send', { to: 7 });
    // @ts-expect-error: it is called `delayMs`
    await jobs.enqueue('emails.send', { to: 'ada' }, { delay: 1000 });
    // @ts-expect-error: the input is missing
    await jobs.enqueue('emails.send');
  });

  it('that have failed are known by their keys', () => {
    expectTypeOf(jobs.failed('emails.send')).resolves.toEqualTypeOf<readonly FailedJob[]>();
    // @ts-expect-error: there is no such key
    void jobs.retry('emails.sent', '7');
  });

  it('have settings by their keys', () => {
    // @ts-expect-error: there is no such key
    queueTransport({ capabilities, jobs: { 'emails.sent': {} } });
    // @ts-expect-error: it is called `maxJobs`
    queueTransport({ capabilities, jobs: { clean: { concurrency: 5 } } });
  });

  it('are in the context of those who add them', () => {
    const context = defineContext(() => ({ jobs }));
    interface Context extends ContextOf<typeof context> {}
    const signUp = capability.withContext<Context>()((_input, ctx) =>
      ctx.jobs.enqueue('emails.send', { to: 'ada' }),
    );
    createServer({ context, capabilities: { signUp }, transports: [jobs] });
  });

  it('need the context of the server', () => {
    const mine = capability.withContext<{ readonly db: string }>()((_input, ctx) => ctx.db);
    const own = queueTransport({ capabilities: { mine } });
    createServer({ context: defineContext(() => ({ db: 'here' })), transports: [own] });
    // @ts-expect-error: its context has no `db`
    createServer({ context: defineContext(() => ({})), transports: [own] });
  });
});
