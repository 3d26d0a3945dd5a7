import { Queue, Worker } from 'bullmq';
import { capability, createServer, silentLogger } from '../../../dist/server-runtime/index.js';
import { queueTransport } from '../../../dist/server-runtime/queue/index.js';
import { median } from '../measure.mjs';
import { toText } from '../table.mjs';

const AT_ONCE = 10;
const ROUNDS = 3;

/** Adding jobs and running them, by capix and by BullMQ itself, in turns: `[{name, rounds: [{addUs, runUs, addSeconds, runSeconds}]}]`, a job each. */
export async function measureJobs(url, count) {
  const { hostname, port } = new URL(url);
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null };
  const subjects = [
    {
      name: 'capix, in Redis',
      open: (prefix, onJob) => openCapix({ url, prefix }, onJob),
      rounds: [],
    },
    {
      name: 'BullMQ by hand',
      open: (prefix, onJob) => openBull({ connection, prefix }, onJob),
      rounds: [],
    },
    { name: 'capix, in memory', open: (_prefix, onJob) => openCapix({}, onJob), rounds: [] },
  ];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, open, rounds } of subjects) {
      const figures = await measureRound(open, {
        count,
        prefix: `${name} ${round}`.replaceAll(/\W+/g, '-'),
      });
      // The first warms up.
      if (round > 0) rounds.push(figures);
    }
  }
  return subjects;
}

async function measureRound(open, { count, prefix }) {
  let left = count;
  let onEnd;
  const ended = new Promise((resolve) => (onEnd = resolve));
  const { add, run, close } = await open(prefix, () => --left === 0 && onEnd());
  const adding = await measure(async () => {
    for (let from = 0; from < count; from += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, count - from) }, (_, at) => add({ number: from + at })),
      );
  });
  const running = await measure(async () => {
    await run();
    await ended;
  });
  await close();
  return {
    addUs: adding.cpuUs / count,
    runUs: running.cpuUs / count,
    addSeconds: adding.seconds,
    runSeconds: running.seconds,
  };
}

async function measure(work) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuUs: user + system, seconds: (performance.now() - startedAt) / 1000 };
}

/** One transport adds the jobs before the other one runs them; in memory it is one, which runs them as they come. */
async function openCapix(given, onJob) {
  const settings = {
    ...given,
    capabilities: { load: { run: capability(onJob) } },
    jobs: { 'load.run': { maxJobs: AT_ONCE } },
  };
  const worker = queueTransport(settings);
  const server = createServer({ transports: [worker], logger: silentLogger });
  const jobs = given.url === undefined ? worker : queueTransport({ ...settings, isWorker: false });
  return {
    add: (input) => jobs.enqueue('load.run', input),
    run: () => server.start(),
    close: async () => {
      await server.stop();
      if (jobs !== worker) await jobs.stop({ graceMs: 0 });
    },
  };
}

async function openBull({ connection, prefix }, onJob) {
  const queue = new Queue('load', { connection, prefix });
  const options = {
    attempts: 5,
    backoff: { type: 'exponential', delay: 1000 },
    removeOnComplete: true,
  };
  let worker;
  return {
    add: (input) => queue.add('run', input, options),
    run: async () => {
      worker = new Worker('load', async () => onJob(), {
        connection,
        prefix,
        concurrency: AT_ONCE,
      });
      await worker.waitUntilReady();
    },
    close: async () => {
      await worker.close();
      await queue.close();
    },
  };
}

export function toJobsText(subjects) {
  const of = (rounds, name) => median(rounds.map((round) => round[name]));
  return toText(
    ['', 'CPU µs to add', 'CPU µs to run', 's to add all', 's to run all'],
    subjects.map(({ name, rounds }) => [
      name,
      ...['addUs', 'runUs'].map((each) => of(rounds, each).toFixed(1)),
      ...['addSeconds', 'runSeconds'].map((each) => of(rounds, each).toFixed(2)),
    ]),
  );
}
