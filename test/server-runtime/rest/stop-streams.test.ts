import { EventEmitter, on, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

/** Longer than any test: where `stop()` waits for its grace, the test fails. */
const graceMs = 600_000;
const stopping = '{"error":"ServiceUnavailable","message":"The server is stopping"}';

/** Iterables without an end, each waiting for what never comes after its first item. */
function endless(first: unknown = 1) {
  const ended = defer();
  const aborted = defer<unknown>();
  const getEvents = capability.withContext<{ readonly signal: AbortSignal }>()(
    (_input, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      let asked = 0;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            asked++ === 0 && first !== undefined
              ? Promise.resolve({ done: false, value: first })
              : new Promise<IteratorResult<unknown>>(() => {}),
          return: () => {
            ended.resolve();
            return Promise.resolve({ done: true as const, value: undefined });
          },
        }),
      };
    },
  );
  return { capabilities: { jobs: { getEvents } }, ended: ended.promise, aborted: aborted.promise };
}

const LINES = 'application/x-ndjson';

describe('stop, while async iterables are being sent', () => {
  it.each([
    ['server-sent events', 'text/event-stream', `data: 1\n\nevent: error\ndata: ${stopping}\n\n`],
    ['lines of JSON', 'application/x-ndjson', `1\n${stopping}\n`],
  ])(
    'ends %s at once: the signal fires, the iterator is ended, the client is told',
    async (_name, accept, text) => {
      const { capabilities, ended, aborted } = endless();
      const { server, url } = await startOverSocket({ capabilities });
      const response = await fetch(`${url}/jobs/events`, { headers: { accept } });
      const body = response.text();
      await server.stop({ graceMs });
      expect(await body).toBe(text);
      expect(await aborted).toMatchObject({
        name: 'AbortError',
        message: 'The server is stopping.',
      });
      await ended;
    },
  );

  it('answers 503 where no item has come yet', async () => {
    const { capabilities, ended } = endless(undefined);
    const started = defer();
    const { server, url } = await startOverSocket({
      capabilities,
      hooks: { onRequest: () => started.resolve() },
    });
    const answer = fetch(`${url}/jobs/events`);
    await started.promise;
    await server.stop({ graceMs });
    expect([(await answer).status, await (await answer).json()]).toEqual([
      503,
      { error: 'ServiceUnavailable', message: 'Service unavailable' },
    ]);
    await ended;
  });

  it('answers 503 where the handler gives its iterable only now', async () => {
    const held = defer();
    const started = defer();
    const getEvents = capability(async () => {
      started.resolve();
      await held.promise;
      return (async function* () {
        yield 1;
        await new Promise(() => {});
      })();
    });
    const { server, url } = await startOverSocket({ capabilities: { jobs: { getEvents } } });
    const answer = fetch(`${url}/jobs/events`);
    await started.promise;
    const stopped = server.stop({ graceMs });
    held.resolve();
    expect((await answer).status).toBe(503);
    await stopped;
  });

  it('takes it for no fault that an iterable breaks off at the signal', async () => {
    const emitter = new EventEmitter();
    const getEvents = capability.withContext<{ readonly signal: AbortSignal }>()(async function* (
      _input,
      { signal },
    ) {
      yield 0;
      for await (const [n] of on(emitter, 'n', { signal })) yield n as number;
    });
    const { server, url, log } = await startOverSocket({ capabilities: { jobs: { getEvents } } });
    const response = await fetch(`${url}/jobs/events`, { headers: { accept: LINES } });
    await server.stop({ graceMs });
    expect(await response.text()).toBe(`0\n${stopping}\n`);
    expect([log.errors, emitter.listenerCount('n')]).toEqual([[], 0]);
  });

  it('ends a hundred of them', async () => {
    const { capabilities } = endless();
    const { server, url } = await startOverSocket({ capabilities });
    const ask = (): Promise<Response> =>
      fetch(`${url}/jobs/events`, { headers: { accept: LINES } });
    const responses = await Promise.all(Array.from({ length: 100 }, ask));
    const bodies = responses.map((response) => response.text());
    await server.stop({ graceMs });
    expect(new Set(await Promise.all(bodies))).toEqual(new Set([`1\n${stopping}\n`]));
  });
});

describe('stop, while a stream is being sent', () => {
  it('waits for its end', async () => {
    const stream = new PassThrough();
    stream.write('begin ');
    const { server, url } = await startOverSocket({
      capabilities: { jobs: { getFile: capability(() => stream) } },
    });
    const response = await fetch(`${url}/jobs/file`);
    const stopped = server.stop({ graceMs });
    stream.end('end');
    expect(await response.text()).toBe('begin end');
    await stopped;
  });

  it('breaks it off after the grace, and destroys it', async () => {
    const stream = new PassThrough();
    stream.write('begin ');
    const { server, url } = await startOverSocket({
      capabilities: { jobs: { getFile: capability(() => stream) } },
    });
    const response = await fetch(`${url}/jobs/file`);
    const closed = once(stream, 'close').catch(() => {});
    await server.stop({ graceMs: 20 });
    await expect(response.text()).rejects.toThrow();
    await closed;
    expect(stream.destroyed).toBe(true);
  });
});
