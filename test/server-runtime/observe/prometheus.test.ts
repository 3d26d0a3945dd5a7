import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';

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
