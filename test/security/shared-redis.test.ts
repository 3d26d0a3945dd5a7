// Boundary: a Redis that others can write to. Promises: a record is data and never code, what others put there stops
// nobody, and no job runs as another capability than that of its queue.
import { Queue } from 'bullmq';
import * as fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, createServer, defineContext } from '../../server-runtime/index.ts';
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
        'BadRequest (400): This is no job of the queue emails.send: the name of the job is "send"',
    });
    expect(
      log.errors.filter(({ message }) => message.includes('no job of the queue')),
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
    ['null', null, 'its data is no object'],
    ['a text', 'text', 'its data is no object'],
    ['a list', [], 'its data is no object'],
    ['headers that are a text', { input: { to: 'a' }, headers: 'x' }, 'no object of texts'],
    ['headers that are a list', { input: { to: 'a' }, headers: [] }, 'no object of texts'],
    ['a header that is a list', { input: {}, headers: { a: ['b'] } }, 'no object of texts'],
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
