import { afterEach, expect, it, vi } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  type Enhancer,
  withCircuitBreaker,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

type Handler = (ctx: { readonly signal: AbortSignal }) => unknown;

/** Calls `a.run`, whose handler is the next of the list, the last one again and again. */
function serve(enhancers: readonly Enhancer[], ...handlers: readonly Handler[]) {
  let calls = 0;
  const run = enhancers.reduce(
    (cap, enhancer) => cap.enhance(enhancer),
    capability((_input, ctx) => handlers[Math.min(calls++, handlers.length - 1)]?.(ctx)),
  );
  const server = createServer({ capabilities: { a: { run } } });
  return {
    /** `'ok'` or what was answered in its place: `'down'`, `503`. */
    call: async (signal?: AbortSignal): Promise<unknown> => {
      try {
        return await server.invoke({ capability: 'a.run', ...(signal && { signal }) });
      } catch (error) {
        return (error as { readonly status?: number }).status ?? (error as Error).message;
      }
    },
    /** Calls, and leaves at once. */
    leave: async () => {
      const leaving = new AbortController();
      const answer = server.invoke({ capability: 'a.run', signal: leaving.signal });
      leaving.abort();
      await expect(answer).rejects.toThrow('The call was cancelled');
    },
    refusal: () =>
      server.invoke({ capability: 'a.run' }).then(
        () => undefined,
        (error: unknown) => error,
      ),
    get calls() {
      return calls;
    },
  };
}

const fail: Handler = () => {
  throw new Error('down');
};
const ok: Handler = () => 'ok';
const hang: Handler = () => new Promise(() => {});
const notFound: Handler = () => {
  throw defaultErrors.NotFound();
};
/** As `fetch(url, {signal})`. */
const heed: Handler = ({ signal }) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );

const fakeClock = (): unknown =>
  vi.useFakeTimers({
    toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
afterEach(() => void vi.useRealTimers());

describeOverSockets('a closed circuit', () => {
  it('opens after failures in a row, and answers 503 at once without calling the handler', async () => {
    fakeClock();
    const served = serve([withCircuitBreaker({ failures: 2, openMs: 10_000 })], fail);
    expect([await served.call(), await served.call()]).toEqual(['down', 'down']);
    expect(await served.refusal()).toMatchObject({
      status: 503,
      name: 'ServiceUnavailable',
      message: 'Unavailable after repeated failures; try again in 10 s',
      meta: { retryAfterSeconds: 10 },
    });
    expect(served.calls).toBe(2);
  });

  it.each([
    ['an answer', ok],
    ['an error that does not count', notFound],
  ])('begins the row anew after %s', async (_name, between) => {
    const { call } = serve(
      [withCircuitBreaker({ failures: 3 })],
      fail,
      fail,
      between,
      fail,
      fail,
      ok,
    );
    for (let count = 0; count < 5; count++) await call();
    expect(await call()).toBe('ok');
  });

  it('counts a handler that hangs until its timeout', async () => {
    const { call } = serve([withTimeout(20), withCircuitBreaker({ failures: 1 })], hang);
    expect([await call(), await call()]).toEqual([504, 503]);
  });

  it('does not count callers who leave, whatever the handler makes of it', async () => {
    const { call, leave } = serve(
      [withCircuitBreaker({ failures: 2 })],
      heed,
      hang,
      heed,
      heed,
      ok,
    );
    for (let count = 0; count < 4; count++) await leave();
    expect(await call()).toBe('ok');
  });

  it.each([{ failures: 0 }, { openMs: 0 }])('is not made of %j', (options) => {
    expect(() => withCircuitBreaker(options)).toThrow(RangeError);
  });
});

describeOverSockets('an open circuit', () => {
  const breaker = withCircuitBreaker({ failures: 1, openMs: 10_000 });
  it('lets one of many callers try', async () => {
    fakeClock();
    const { promise, resolve } = defer<string>();
    const served = serve([breaker], fail, () => promise);
    await served.call();
    vi.advanceTimersByTime(10_000);
    const trial = served.call();
    const others = await Promise.all(Array.from({ length: 20 }, () => served.refusal()));
    for (const other of others)
      expect(other).toMatchObject({ status: 503, meta: { retryAfterSeconds: 10 } });
    expect(served.calls).toBe(2);
    resolve('up');
    expect(await trial).toBe('up');
    expect(await served.call()).toBe('up');
  });
});

describeOverSockets('a circuit that was open for openMs', () => {
  /** Its circuit has opened; the next call tries. */
  async function openThenWait(...handlers: readonly Handler[]) {
    fakeClock();
    const served = serve(
      [withTimeout(30_000), withCircuitBreaker({ failures: 1, openMs: 500 })],
      fail,
      ...handlers,
    );
    await served.call();
    expect(await served.call()).toBe(503);
    vi.advanceTimersByTime(500);
    return served;
  }

  it('closes when the trial succeeds', async () => {
    const { call } = await openThenWait(ok);
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
  });

  it('closes when the trial is answered with an error that does not count', async () => {
    const { call } = await openThenWait(notFound, ok);
    expect([await call(), await call()]).toEqual([404, 'ok']);
  });

  it('opens anew when the trial fails', async () => {
    const { call } = await openThenWait(fail, ok);
    expect([await call(), await call()]).toEqual(['down', 503]);
    vi.advanceTimersByTime(500);
    expect(await call()).toBe('ok');
  });

  it('refuses all others at once while one tries', async () => {
    const served = await openThenWait(hang);
    void served.call();
    const others = await Promise.all(Array.from({ length: 20 }, served.refusal));
    expect(new Set(others.map((error) => JSON.stringify(error)))).toEqual(
      new Set([JSON.stringify({ status: 503, meta: { retryAfterSeconds: 1 } })]),
    );
    expect(served.calls).toBe(2);
  });

  it.each([
    ['ends', heed],
    ['hangs', hang],
  ])(
    'lets the next call try when the caller of a trial leaves, and the trial %s',
    async (_name, trial) => {
      const { call, leave } = await openThenWait(trial, ok);
      await leave();
      expect([await call(), await call()]).toEqual(['ok', 'ok']);
    },
  );

  it('opens anew when the trial hangs until its timeout', async () => {
    const { call } = await openThenWait(hang, ok);
    const trial = call();
    vi.advanceTimersByTime(30_000);
    expect(await trial).toBe(504);
    expect(await call()).toBe(503);
    vi.advanceTimersByTime(500);
    expect(await call()).toBe('ok');
  });

  it('closes when a slow trial succeeds after another one began', async () => {
    let succeed = (_value: unknown): void => {};
    const slow: Handler = () => new Promise((resolve) => (succeed = resolve));
    const { call } = await openThenWait(slow, hang, ok);
    const first = call();
    vi.advanceTimersByTime(500);
    void call();
    succeed('slow');
    expect(await first).toBe('slow');
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
  });

  it('does not ask the clock on the wall', async () => {
    fakeClock();
    const { call } = serve([withCircuitBreaker({ failures: 1, openMs: 500 })], fail, ok);
    await call();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await call()).toBe(503);
    vi.advanceTimersByTime(500);
    expect(await call()).toBe('ok');
  });
});

it('recovers over HTTP when the client of its trial closes the connection', async () => {
  const reached = defer();
  const handlers: Handler[] = [
    fail,
    () => {
      reached.resolve();
      return hang({ signal: new AbortController().signal });
    },
    ok,
  ];
  const run = capability((_input, ctx) => handlers.shift()?.(ctx)).enhance(
    withCircuitBreaker({ failures: 1, openMs: 100 }),
  );
  const { request } = await startOverSocket({ capabilities: { a: { run } } });
  const ask = async (signal?: AbortSignal): Promise<number> =>
    (await request('/a/run', { method: 'POST', ...(signal && { signal }) })).status;
  expect(await ask()).toBe(500);
  const leaving = new AbortController();
  const patient = { timeout: PATIENCE_MS };
  // Refused until the circuit has been open for long enough; the one that is not is the trial.
  const trial = vi.waitFor(
    () => ask(leaving.signal).then((status) => Promise.reject(new Error(String(status)))),
    patient,
  );
  trial.catch(() => {});
  await reached.promise;
  leaving.abort();
  await vi.waitFor(async () => expect(await ask()).toBe(200), patient);
});
