import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import {
  capability,
  createServer,
  definePlugin,
  healthChecks,
  toFetchHandler,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const capabilities = { ping: capability(() => 'pong', 'query') };

it('says whether the process lives, and whether it can serve', async () => {
  let isAway = false;
  const causes: unknown[] = [];
  const db = (): void => {
    if (isAway) throw new Error('password of the database is wrong');
  };
  const queue = (signal: AbortSignal) =>
    isAway ? new Promise(() => signal.addEventListener('abort', () => {})) : true;
  const server = createServer({
    capabilities,
    plugins: [healthChecks({ checks: { db, queue }, timeoutMs: 20 })],
    hooks: { onError: ({ error }) => void causes.push(error) },
    logger: recordLog(),
  });
  const handle = toFetchHandler(server);
  const ask = async (path: string) => {
    const response = await handle(new Request(`http://x.test${path}`));
    return [response.status, response.headers.get('cache-control'), await response.json()];
  };
  expect(await ask('/health')).toEqual([200, 'no-store', { data: { status: 'ok' } }]);
  expect(await ask('/health/ready')).toEqual([200, 'no-store', { data: { status: 'ok' } }]);
  isAway = true;
  const [status, , body] = await ask('/health/ready');
  expect([status, body]).toEqual([
    503,
    {
      error: 'ServiceUnavailable',
      message: 'Not ready: db, queue',
      meta: { failed: ['db', 'queue'] },
    },
  ]);
  expect(
    ((causes[0] as Error).cause as AggregateError).errors.map((error: Error) => error.message),
  ).toEqual(['password of the database is wrong', 'The operation was aborted due to timeout']);
  expect((await ask('/health'))[0]).toBe(200);
});

it('has the paths that are asked for, and is no tool', () => {
  const { registry } = createServer({
    capabilities,
    plugins: [healthChecks({ path: '/healthz' })],
    logger: recordLog(),
  });
  const probes = registry.operations.filter(({ key }) => key.startsWith('health.'));
  expect(
    probes.map(({ declaredRoutes, definition }) => [declaredRoutes[0]?.path, definition.tool]),
  ).toEqual([
    ['/healthz', false],
    ['/healthz/ready', false],
  ]);
  expect(() => healthChecks({ check: {} } as object)).toThrow('check');
});

it('stands outside what is around every capability, and so do metrics', async () => {
  const limit = withRateLimit({ name: 'api', limit: 1, windowMs: 60_000, countsRefused: true });
  const own = definePlugin({ capabilities: { own: { getPong: capabilities.ping } } });
  const plugins = [healthChecks(), prometheus({ registry: new Registry() }), own] as const;
  const server = createServer({ capabilities, plugins, use: [limit], logger: recordLog() });
  const handle = toFetchHandler(server);
  const ask = async (path: string) => (await handle(new Request(`http://x.test${path}`))).status;
  expect([await ask('/own/pong'), await ask('/own/pong')]).toEqual([200, 429]);
  for (const path of ['/health', '/health/ready', '/metrics'])
    expect([path, await ask(path)]).toEqual([path, 200]);
});
