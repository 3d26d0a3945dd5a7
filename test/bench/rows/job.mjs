/** Jobs through Redis, from enqueue to done, ten at once, in capix and by BullMQ itself. */
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
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const round = createRound();
    const queue = new Queue('mails', { connection });
    const options = { connection: connection.duplicate(), concurrency: ATONCE };
    const worker = new Worker('mails', async () => round.onJob(), options);
    await worker.waitUntilReady();
    return { end, work: () => round.run((id) => queue.add('send', { id })) };
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
