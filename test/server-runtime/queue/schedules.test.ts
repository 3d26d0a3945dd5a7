import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { capability, createServer } from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { recordLog } from '../../helpers/start-rest.ts';

afterEach(() => void vi.useRealTimers());

/** A server whose job `mails.send` notes when it ran and with which name. */
async function serve(options: object, repeat?: object) {
  const runs: (readonly [at: string, name: string])[] = [];
  const send = capability(z.object({ name: z.string() }), ({ name }) => {
    runs.push([new Date().toISOString(), name]);
  });
  const jobs = queueTransport({
    ...options,
    capabilities: { mails: { send } },
    jobs: { 'mails.send': repeat === undefined ? {} : { repeat } } as never,
  });
  const server = createServer({ transports: [jobs], logger: recordLog() });
  await server.start();
  return { jobs, runs, server };
}

describe('where the clock changes', () => {
  // Loaded while the clock stands still, a library would come late.
  beforeAll(async () => {
    await (await serve({}, { cron: '0 0 1 1 *', input: { name: 'a' } })).server.stop();
  });

  const hour = 3_600_000;
  const runAll = async (from: string, cron: string): Promise<readonly string[]> => {
    vi.useFakeTimers({
      now: new Date(from),
      toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    });
    const repeat = { cron, timezone: 'Europe/Berlin', input: { name: 'a' } };
    const { runs, server } = await serve({}, repeat);
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await vi.advanceTimersByTimeAsync(12 * hour);
    return runs.map(([at]) => at.slice(0, 16));
  };

  it('a job at a time that comes twice runs once', async () => {
    expect(await runAll('2026-10-24T23:00:00Z', '30 2 * * *')).toEqual(['2026-10-25T00:30']);
  });

  it('a job at a time that there is not runs once, later', async () => {
    expect(await runAll('2026-03-28T23:00:00Z', '30 2 * * *')).toEqual(['2026-03-29T01:00']);
  });
});

it('a job waits longer than a timer can', async () => {
  const { jobs, runs, server } = await serve({});
  onTestFinished(() => server.stop({ graceMs: 0 }));
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  const day = 86_400_000;
  await jobs.enqueue('mails.send', { name: 'late' }, { delayMs: 30 * day });
  await vi.advanceTimersByTimeAsync(30 * day - 1000);
  expect(runs).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(runs).toEqual([[expect.any(String), 'late']]);
});

describeWithRedis('a schedule in Redis', () => {
  it('is that of the last start: another time, another input, or none', async () => {
    const { url } = await startRedis();
    const options = { url, prefix: 'schedules' };
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue('mails.send', { connection, prefix: options.prefix });
    onTestFinished(async () => {
      await queue.close();
      connection.disconnect();
    });
    const expectSchedules = async (found: readonly unknown[], repeat?: object): Promise<void> => {
      const { server } = await serve(options, repeat);
      const read = async (): Promise<readonly unknown[]> =>
        (await queue.getJobSchedulers()).map(({ pattern, tz, template }) => [
          pattern,
          tz,
          (template?.data as { readonly input: unknown } | undefined)?.input,
        ]);
      await expect.poll(read).toEqual(found);
      await server.stop();
    };
    const input = { name: 'a' };
    const other = { name: 'b' };
    const timezone = 'Asia/Tokyo';
    await expectSchedules([['0 5 * * *', undefined, input]], { cron: '0 5 * * *', input });
    const moved = { cron: '0 6 * * *', timezone, input };
    await expectSchedules([['0 6 * * *', timezone, input]], moved);
    await expectSchedules([['0 6 * * *', timezone, other]], { ...moved, input: other });
    await expectSchedules([]);
  });
});
