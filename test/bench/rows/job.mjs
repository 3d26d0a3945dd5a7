/**
 * Jobs through Redis, from enqueue to done, ten at once, in capix and by BullMQ itself, with what a queue of capix
 * promises: five attempts with a growing wait; an id that is known before the job is sent; an input that is checked where
 * it is added and where it runs; done and failed jobs that are known for a while; and an add that fails at once where
 * Redis is away, and after 5 s where it hangs.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { startRedis } from '../sharing/redis.mjs';
import * as z from '../zod-of-capix.mjs';

export const units = 3000;
const ATONCE = 10;
const PACE = 50;

export const peers = {
  capix: async () => {
    const { capability, createServer, silentLogger } = await import(
      '../../../dist/server-runtime/index.js'
    );
    const { queueTransport } = await import('../../../dist/server-runtime/queue/index.js');
    const { url, end } = await startRedis();
    const round = createRound();
    const send = capability(z.object({ id: z.string() }), round.onJob);
    const jobs = queueTransport({
      url,
      capabilities: { mails: { send } },
      jobs: { 'mails.send': { maxJobs: ATONCE } },
    });
    await createServer({ capabilities: {}, transports: [jobs], logger: silentLogger }).start();
    return { end, work: () => round.run((id) => jobs.enqueue('mails.send', { id })) };
  },
  BullMQ: async () => {
    const { Queue, Worker } = await import('bullmq');
    const { Redis } = await import('ioredis');
    const { url, end } = await startRedis();
    const connection = new Redis(url, {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      socketTimeout: 5000,
    });
    await once(connection, 'ready');
    const round = createRound();
    const input = z.object({ id: z.string() });
    const attempts = { attempts: 5, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } };
    const queue = new Queue('mails', { connection, defaultJobOptions: attempts });
    const options = {
      connection: new Redis(url, { maxRetriesPerRequest: null }),
      concurrency: ATONCE,
      removeOnComplete: { age: 3600, count: 1000 },
      removeOnFail: { count: 10_000 },
    };
    const send = async ({ data }) => {
      round.onJob(input.parse(data));
    };
    const worker = new Worker('mails', send, options);
    await worker.waitUntilReady();
    const add = (id) => queue.add('send', input.parse({ id }), { jobId: randomUUID() });
    return { end, work: () => round.run(add) };
  },
};

/** Enqueues all jobs of a round, some at a time, and waits for the last to run. */
function createRound() {
  let left = 0;
  let onLast = () => {};
  return {
    onJob: () => {
      if (--left === 0) onLast();
      return 1;
    },
    run: async (enqueue) => {
      left = units;
      const ended = new Promise((resolve) => (onLast = resolve));
      for (let from = 0; from < units; from += PACE)
        await Promise.all(Array.from({ length: PACE }, (_, at) => enqueue(String(from + at))));
      await ended;
    },
  };
}
