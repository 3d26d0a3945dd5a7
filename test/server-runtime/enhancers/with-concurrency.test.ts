import { expect, it } from 'vitest';
import { capability, createServer, defineGroup, withConcurrency } from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';

/** Calls of `a.run`, each of which ends when the test says so. */
function serve(options: Parameters<typeof withConcurrency>[0]) {
  const open: ((value: unknown) => void)[] = [];
  const run = capability(() => {
    const { promise, resolve } = defer<unknown>();
    open.push(resolve);
    return promise;
  }).enhance(withConcurrency(options));
  const server = createServer({ capabilities: { a: { run } } });
  const call = (signal?: AbortSignal): Promise<unknown> => server.invoke({ capability: 'a.run', signal });
  return { open, call };
}

it('runs so many at once, lets so many wait in turn, and refuses the others at once', async () => {
  const { open, call } = serve({ limit: 2, maxQueuedCalls: 1 });
  const calls = [call(), call(), call()];
  await expect.poll(() => open.length).toBe(2);
  await expect(call()).rejects.toMatchObject({ status: 503, meta: { retryAfterSeconds: 1 } });
  open[0]?.('first');
  expect(await calls[0]).toBe('first');
  await expect.poll(() => open.length).toBe(3);
  open[1]?.('second');
  open[2]?.('third');
  expect(await Promise.all(calls)).toEqual(['first', 'second', 'third']);
});

it('lets go of a place in the queue when its caller leaves, and of a place after a fault', async () => {
  const { open, call } = serve({ limit: 1, maxQueuedCalls: 1 });
  const first = call();
  await expect.poll(() => open.length).toBe(1);
  const leaving = new AbortController();
  const left = call(leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ status: 503 });
  const next = call();
  open[0]?.(Promise.reject(new Error('fault')));
  await expect(first).rejects.toThrow('fault');
  await expect.poll(() => open.length).toBe(2);
  open[1]?.('next');
  expect(await next).toBe('next');
});

it('counts a group together where it is shared, and a handler that throws at once leaves its place', async () => {
  const fail = capability(() => {
    throw new Error('fault');
  }, 'query');
  const server = createServer({
    capabilities: {
      a: defineGroup(
        { fail, ok: capability(() => 'ok', 'query') },
        { use: [withConcurrency({ limit: 1, maxQueuedCalls: 0, isShared: true })] },
      ),
    },
  });
  for (let round = 0; round < 3; round++) {
    await expect(server.invoke({ capability: 'a.fail' })).rejects.toThrow('fault');
    expect(await server.invoke({ capability: 'a.ok' })).toBe('ok');
  }
});
