import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  type Enhancer,
  type ServerOptions,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import type { FailedRequest } from '../../../server-runtime/server/hooks.ts';
import { describeInvocations, type Invoke } from '../../helpers/every-door.ts';

const Input = z.object({ user: z.string().default('ann') });

/** Calls `a.run`, wrapped in the enhancers, in a server of its own. */
function serve(
  start: (options: ServerOptions) => Invoke,
  enhancers: readonly Enhancer<z.output<typeof Input>>[],
  handler: (input: { user: string }, ctx: { signal: AbortSignal }) => unknown,
) {
  const failed: FailedRequest[] = [];
  const run = enhancers.reduce(
    (cap, enhancer) => cap.enhance(enhancer),
    capability(Input, handler),
  );
  const invoke = start({
    capabilities: { a: { run } },
    hooks: { onError: (event) => void failed.push(event) },
  });
  return { failed, call: (input: object = {}) => invoke({ capability: 'a.run', input }) };
}

const fakeClock = (): unknown =>
  vi.useFakeTimers({
    toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
// Loaded while the clock stands still, a library would come late.
beforeAll(() => import('../../../server-runtime/stores/memory-store.ts'));
afterEach(() => void vi.useRealTimers());

describeInvocations('withRateLimit', (start) => {
  it('refuses the call above the limit with 429 and says when to come back', async () => {
    const { call, failed } = serve(
      start,
      [withRateLimit({ limit: 2, windowMs: 60_000 })],
      () => 'ok',
    );
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
    await expect(call()).rejects.toMatchObject({
      status: 429,
      name: 'TooManyRequests',
      message: 'Too many requests; try again in 60 s',
      meta: { limit: 2, windowMs: 60_000, retryAfterSeconds: 60 },
    });
    expect(failed[0]?.failure.retryAfterSeconds).toBe(60);
  });

  it('counts in windows: all calls of one may come at its end, and the next begins with a call', async () => {
    fakeClock();
    const { call } = serve(start, [withRateLimit({ limit: 2, windowMs: 1000 })], () => 'ok');
    const callBoth = async (): Promise<readonly unknown[]> => [await call(), await call()];
    await call();
    vi.advanceTimersByTime(900);
    await call();
    await expect(call()).rejects.toMatchObject({ status: 429 });
    vi.advanceTimersByTime(101);
    expect(await callBoth()).toEqual(['ok', 'ok']);
    await expect(call()).rejects.toMatchObject({ status: 429 });
    vi.advanceTimersByTime(5001);
    await call();
    vi.advanceTimersByTime(999);
    await call();
    await expect(call()).rejects.toMatchObject({ status: 429, meta: { retryAfterSeconds: 1 } });
  });

  it.each([
    ['back', -3_600_000],
    ['ahead, for which the window is over', 3_600_000],
  ])('goes on where the clock is set %s', async (_, changeMs) => {
    fakeClock();
    const { call } = serve(start, [withRateLimit({ limit: 1, windowMs: 10_000 })], () => 'ok');
    expect(await call()).toBe('ok');
    vi.setSystemTime(Date.now() + changeMs);
    if (changeMs > 0) expect(await call()).toBe('ok');
    await expect(call()).rejects.toMatchObject({ status: 429 });
    vi.advanceTimersByTime(10_001);
    expect(await call()).toBe('ok');
    await expect(call()).rejects.toMatchObject({ status: 429 });
  });

  it('counts each caller alone with `by`', async () => {
    const { call } = serve(
      start,
      [withRateLimit({ limit: 1, windowMs: 60_000, by: ({ user }: { user: string }) => user })],
      () => 'ok',
    );
    await call({ user: 'ann' });
    expect(await call({ user: 'bob' })).toBe('ok');
    await expect(call({ user: 'ann' })).rejects.toMatchObject({ status: 429 });
  });

  it.each([
    { limit: 0, windowMs: 1 },
    { limit: 1, windowMs: 0 },
    { limit: 1, windowMs: 2 ** 31 },
    { limit: 1, windowMs: 1, ipv6SubnetBits: 129 },
  ])('refuses %j', (options) => {
    expect(() => withRateLimit(options)).toThrow(RangeError);
  });

  it.each([{ name: 'a "name"' }, { name: '' }])('refuses %j', (options) => {
    expect(() => withRateLimit({ limit: 1, windowMs: 1, ...options })).toThrow(TypeError);
  });
});
