import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';

function start(options: Parameters<typeof prometheus>[0]) {
  const capabilities = {
    items: {
      listItems: capability(() => []),
      createItem: capability(() => {
        throw defaultErrors.Conflict();
      }),
    },
  };
  const server = createServer({
    capabilities,
    plugins: [prometheus(options)],
    logger: silentLogger,
  });
  const handle = toFetchHandler(server, { prefix: '/api' });
  return async (path: string, method = 'GET') => {
    const response = await handle(new Request(`http://x.test/api${path}`, { method }));
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
}

it('counts and times requests by capability, method and status, and serves them as Prometheus reads them', async () => {
  const ask = start({ registry: new Registry(), buckets: [1, 10] });
  await Promise.all([ask('/items'), ask('/items'), ask('/items', 'POST'), ask('/nothing')]);
  const { type, text } = await ask('/metrics');
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  const count = (labels: string) =>
    new RegExp(`^capix_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1];
  expect(count('capability="items.listItems",transport="rest",method="GET",status="200"')).toBe(
    '2',
  );
  expect(count('capability="items.createItem",transport="rest",method="POST",status="409"')).toBe(
    '1',
  );
  expect(count('capability="",transport="rest",method="GET",status="404"')).toBe('1');
  expect(text).toContain('le="10",capability="items.listItems"');
  expect(text).toMatch(/^capix_calls_in_progress\{capability="items.createItem"\} 0$/m);
  expect(text).toMatch(/^capix_calls_in_progress\{capability="prometheus.getMetrics"\} 1$/m);
});

it('lets two servers count in one registry, and serves no path where none is wanted', async () => {
  const registry = new Registry();
  const [one, other] = [
    start({ registry, path: false }),
    start({ registry, path: '/internal/metrics' }),
  ];
  await Promise.all([one('/items'), other('/items')]);
  expect((await one('/metrics')).text).toContain('NotFound');
  expect((await other('/internal/metrics')).text).toMatch(
    /_count\{capability="items.listItems".*\} 2$/m,
  );
});

it('counts the jobs that are given up, each once', async () => {
  const registry = new Registry();
  const send = capability(() => {
    throw new Error('down');
  });
  const jobs = queueTransport({
    capabilities: { send },
    jobs: { send: { attempts: 2, backoffMs: 1 } },
  });
  const server = createServer({
    transports: [jobs],
    plugins: [prometheus({ registry })],
    logger: silentLogger,
  });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await server.start();
  await jobs.enqueue('send', {});
  await expect
    .poll(() => registry.metrics())
    .toContain('capix_jobs_given_up_total{capability="send"} 1\n');
});

it('counts methods that nobody knows as one, since each label is a series', async () => {
  const ask = start({ registry: new Registry() });
  const methods = Array.from({ length: 20 }, (_none, at) => `ZZ${at}`);
  await Promise.all([...methods, 'HEAD', 'QUERY'].map((method) => ask('/items', method)));
  const { text } = await ask('/metrics');
  const found = [...text.matchAll(/_count\{.*method="(\w+)".*\} (\d+)/g)].map(
    ([, ...each]) => each,
  );
  expect(found.sort()).toEqual([
    ['HEAD', '1'],
    ['QUERY', '1'],
    ['_OTHER', '20'],
  ]);
});

it('measures heap and event loop from the first read on, and leaves those of the application', async () => {
  const [registry, others] = [new Registry(), new Registry()];
  const ask = start({ registry });
  await ask('/items');
  expect(await registry.metrics()).not.toContain('nodejs_');
  const { text: first } = await ask('/metrics');
  const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(first)?.[1]);
  expect(read('nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000);
  expect(read('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  for (const kind of ['min', 'mean', 'p99', 'max']) {
    const seconds = read(`nodejs_eventloop_lag_${kind}_seconds`);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
  }
  const own = start({ registry: others });
  collectDefaultMetrics({ register: others });
  const { text } = await own('/metrics');
  expect(text.match(/^# TYPE nodejs_heap_size_used_bytes /gm)).toHaveLength(1);
});

/** A server with a queue, which is read through its door; the first job runs until the end. */
async function serveJobs(options: { url?: string; isWorker?: boolean }) {
  const ended = new AbortController();
  const send = capability(
    () => new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve())),
  );
  const settings = { send: { maxJobs: 1 } };
  const jobs = queueTransport({ capabilities: { send }, jobs: settings, ...options });
  const plugins = [prometheus({ registry: new Registry(), queues: [jobs] })];
  const rest = restTransport({ port: 0, host: '127.0.0.1' });
  const server = createServer({ transports: [rest, jobs], plugins, logger: silentLogger });
  onTestFinished(() => {
    ended.abort();
    return server.stop({ graceMs: 1000 });
  });
  const [{ url = '' } = {}] = await server.start();
  const readJobs = async () => {
    const response = await fetch(`${url}/metrics`);
    const text = await response.text();
    expect([response.status, text.includes('nodejs_heap_size_used_bytes ')]).toEqual([200, true]);
    const found = text.matchAll(/^capix_jobs\{capability="send",phase="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...found].map(([, phase, count]) => [phase, Number(count)]));
  };
  return { jobs, readJobs };
}

it('counts the jobs of a queue in memory by phase', async () => {
  const { jobs, readJobs } = await serveJobs({});
  await Promise.all([1, 2, 3].map(() => jobs.enqueue('send', {})));
  await jobs.enqueue('send', {}, { delayMs: 3_600_000 });
  await expect.poll(readJobs).toEqual({ waiting: 2, delayed: 1, active: 1, failed: 0 });
});

it('refuses what is no queue', () => {
  const queues = [restTransport()];
  expect(() => prometheus({ registry: new Registry(), queues })).toThrow(
    'prometheus queues: expected a list of what queueTransport(…) makes.',
  );
});

describeWithRedis('jobs in Redis', () => {
  it('are counted also by a process that runs none, and missing while Redis hangs or is away', async () => {
    const redis = await startRedis();
    const { jobs, readJobs } = await serveJobs({ url: redis.url, isWorker: false });
    const none = { waiting: 0, delayed: 0, active: 0, failed: 0 };
    expect(await readJobs()).toEqual(none);
    await Promise.all([1, 2].map(() => jobs.enqueue('send', {})));
    expect(await readJobs()).toEqual({ ...none, waiting: 2 });
    redis.freeze();
    expect(await readJobs()).toEqual({});
    redis.thaw();
    await expect.poll(readJobs).toEqual({ ...none, waiting: 2 });
    await redis.kill();
    expect(await readJobs()).toEqual({});
    await redis.restart();
    await expect.poll(readJobs).toEqual(none);
  });
});
