import { expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  healthChecks,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';

async function start() {
  const readiness: boolean[] = [];
  const server = createServer({
    capabilities: { items: { listItems: capability(() => []) } },
    plugins: [healthChecks()],
    hooks: { onReadiness: ({ isReady }) => void readiness.push(isReady) },
    transports: [restTransport({ port: 0 })],
    logger: silentLogger,
  });
  const open = async (): Promise<(path: string) => Promise<number>> => {
    const [started] = await server.start();
    return async (path) => (await fetch(`${started?.url}${path}`)).status;
  };
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, readiness, open, ask: await open() };
}

it('fails readiness first, and serves all else until the time is over', async () => {
  const { server, readiness, ask } = await start();
  expect(await ask('/health/ready')).toBe(200);
  const stopped = server.stop({ readinessMs: 300 });
  // `stop` waits for the start of the server first.
  await Promise.resolve();
  expect([await ask('/health/ready'), await ask('/health'), await ask('/items')]).toEqual([
    503, 200, 200,
  ]);
  await stopped;
  expect(readiness).toEqual([true, false]);
  await expect(ask('/items')).rejects.toThrow();
});

it('is ready again once it is started again', async () => {
  const { server, open, readiness } = await start();
  await server.stop({ readinessMs: 1 });
  const ask = await open();
  expect(await ask('/health/ready')).toBe(200);
  expect(readiness).toEqual([true, false, true]);
});

it('stops at once where it is stopped again meanwhile', async () => {
  const { server, ask } = await start();
  // Longer than any test.
  const first = server.stop({ readinessMs: 600_000 });
  await server.stop({ graceMs: 0 });
  await first;
  await expect(ask('/items')).rejects.toThrow();
});

it('does not wait where nothing has started, and refuses a time that cannot be', async () => {
  const server = createServer({
    capabilities: {},
    plugins: [healthChecks()],
    logger: silentLogger,
  });
  await server.stop({ readinessMs: 600_000 });
  await expect(server.stop({ readinessMs: -1 })).rejects.toThrow('server.stop readinessMs');
});
