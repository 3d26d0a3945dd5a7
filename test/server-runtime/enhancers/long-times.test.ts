import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  capability,
  createServer,
  silentLogger,
  withCache,
  withIdempotency,
  withTimeout,
} from '../../../server-runtime/index.ts';

// A timer of Node holds 24.8 days, and fires at once where it is to wait longer.
const day = 86_400_000;

// Loaded while the clock stands still, a library would come late.
beforeAll(() => import('../../../server-runtime/stores/memory-store.ts'));
afterEach(() => void vi.useRealTimers());
const fakeClock = (): unknown =>
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });

it('an answer is cached for longer than a timer can wait', async () => {
  let runs = 0;
  const getIt = capability(() => ++runs).enhance(withCache({ ttlMs: 30 * day }));
  const server = createServer({ capabilities: { a: { getIt } }, logger: silentLogger });
  const call = (): Promise<unknown> => server.invoke({ capability: 'a.getIt' });
  await call();
  fakeClock();
  vi.setSystemTime(Date.now());
  await vi.advanceTimersByTimeAsync(1000);
  expect(await call()).toBe(1);
  await vi.advanceTimersByTimeAsync(29 * day);
  expect(await call()).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * day);
  expect(await call()).toBe(2);
});

it('a key is remembered for longer than a timer can wait', async () => {
  let runs = 0;
  const makeIt = capability(() => ++runs).enhance(withIdempotency({ ttlMs: 30 * day }));
  const server = createServer({ capabilities: { a: { makeIt } }, logger: silentLogger });
  const call = (): Promise<unknown> =>
    server.invoke({ capability: 'a.makeIt', headers: { 'idempotency-key': 'k' } });
  expect([await call(), await call()]).toEqual([1, 1]);
});

it.each([2 ** 31, 30 * day])('a timeout of %d ms is refused where it is written', (timeoutMs) => {
  expect(() => withTimeout(timeoutMs)).toThrow(RangeError);
  expect(() => createServer({ timeoutMs })).toThrow(RangeError);
});
