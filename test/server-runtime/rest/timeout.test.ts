import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  defineContext,
  reply,
  restTransport,
  silentLogger,
  toFetchHandler,
  withTimeout,
} from '../../../server-runtime/index.ts';
import {
  describeOverSockets,
  describeThroughEveryDoor,
  itOverHttp,
} from '../../helpers/every-door.ts';
import { defer, json, startOverSocket } from '../../helpers/start-rest.ts';

const never = (): Promise<never> => new Promise(() => {});
const timeout = { error: 'Timeout', message: 'Timeout after 20 ms' };

describeThroughEveryDoor('timeouts', (start) => {
  it('answers 504 at the default of the server', async () => {
    const { request } = await start({
      capabilities: { jobs: { getJob: capability(never) } },
      timeoutMs: 20,
    });
    const response = await request('/jobs');
    expect([response.status, await response.json()]).toEqual([504, timeout]);
  });

  itOverHttp('answers 504 at the default of the transport', async () => {
    const { request } = await start({
      capabilities: { jobs: { getJobs: capability(never) } },
      rest: { timeoutMs: 20 },
    });
    expect((await request('/jobs')).status).toBe(504);
  });

  it('lets withTimeout be shorter than the default', async () => {
    const { request } = await start({
      capabilities: { jobs: { getJobs: capability(never).enhance(withTimeout(20)) } },
    });
    expect((await request('/jobs')).status).toBe(504);
  });

  it('lets withTimeout be longer than the default', async () => {
    const held = defer<string>();
    const other = defer();
    const capabilities = {
      jobs: {
        getJobs: capability(() => held.promise).enhance(withTimeout(60_000)),
        createJob: capability(() => other.promise),
      },
    };
    const { request } = await start({ capabilities, timeoutMs: 20 });
    const answer = request('/jobs');
    expect((await request('/jobs', json({}))).status).toBe(504);
    held.resolve('done');
    expect(await (await answer).json()).toEqual({ data: 'done' });
  });

  it('fires the signal of context and handler', async () => {
    const reasons: unknown[] = [];
    const context = defineContext(({ signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return {};
    });
    const handler = capability.withContext<{ readonly signal: AbortSignal }>()(
      async (_input, { signal }) => {
        await once(signal, 'abort');
        reasons.push('handler');
      },
    );
    const { request } = await start({
      capabilities: { jobs: { getJobs: handler } },
      context,
      timeoutMs: 20,
    });
    expect((await request('/jobs')).status).toBe(504);
    expect(reasons).toEqual([expect.objectContaining({ name: 'TimeoutError' }), 'handler']);
  });

  itOverHttp.each([
    ['JSON', 'application/json', '{"a":'],
    [
      'a form',
      'multipart/form-data; boundary=X',
      '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    ],
  ])('covers a body that never ends: %s', async (_name, type, text) => {
    let called = false;
    const createJob = capability(z.object({ a: z.string() }), () => (called = true));
    const { request } = await start({
      capabilities: { jobs: { createJob, listJobs: capability(() => 1) } },
      timeoutMs: 50,
    });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    });
    const response = await request('/jobs', {
      method: 'POST',
      duplex: 'half',
      headers: { 'content-type': type },
      body,
    });
    expect([response.status, await response.json(), called]).toEqual([
      504,
      { ...timeout, message: 'Timeout after 50 ms' },
      false,
    ]);
    expect((await request('/jobs')).status).toBe(200);
  });

  it('covers the context builder', async () => {
    const { request } = await start({
      capabilities: { jobs: { getJobs: capability(() => 1) } },
      context: defineContext(never),
      timeoutMs: 20,
    });
    expect((await request('/jobs')).status).toBe(504);
  });

  itOverHttp(
    'answers nothing of what comes after it, which is in the log where nobody foresaw it',
    async () => {
      const late = defer();
      const capabilities = {
        jobs: {
          getJobs: capability(() => late.promise),
          createJob: capability(() => late.promise.then(() => Promise.reject(new Error('late')))),
        },
      };
      const { request, log } = await start({ capabilities, timeoutMs: 20 });
      expect(
        await Promise.all(
          [request('/jobs'), request('/jobs', json({}))].map(async (each) => (await each).status),
        ),
      ).toEqual([504, 504]);
      late.resolve();
      expect((await request('/jobs')).status).toBe(200);
      await expect
        .poll(() => log.errors)
        .toMatchObject([
          { message: '[capix] POST /jobs failed after it had ended', error: new Error('late') },
        ]);
    },
  );
});

describeThroughEveryDoor('an answer that comes too late', (start) => {
  it.each<[string, () => { readonly value: unknown; readonly ended: Promise<unknown> }]>([
    [
      'a stream of Node',
      () => {
        const value = new PassThrough();
        return { value, ended: once(value, 'close') };
      },
    ],
    [
      'a stream that fails',
      () => {
        const value = createReadStream('/nowhere/at/all');
        return {
          value,
          ended: new Promise<void>((resolve) => value.once('close', () => resolve())),
        };
      },
    ],
    [
      'a stream of the web',
      () => {
        const ended = defer();
        return {
          value: reply(new ReadableStream({ cancel: () => ended.resolve() })),
          ended: ended.promise,
        };
      },
    ],
    [
      'a Response',
      () => {
        const ended = defer();
        return {
          value: new Response(new ReadableStream({ cancel: () => ended.resolve() })),
          ended: ended.promise,
        };
      },
    ],
    [
      'an async iterable',
      () => {
        const ended = defer();
        const iterator = {
          next: never,
          return: () => Promise.resolve({ done: true, value: ended.resolve() }),
        };
        return { value: { [Symbol.asyncIterator]: () => iterator }, ended: ended.promise };
      },
    ],
  ])('is let go of: %s', async (_name, toLate) => {
    const late = defer<unknown>();
    const { request, log } = await start({
      capabilities: { jobs: { getJobs: capability(() => late.promise) } },
      timeoutMs: 20,
    });
    expect((await request('/jobs')).status).toBe(504);
    const { value, ended } = toLate();
    late.resolve(value);
    await ended;
    expect(log.errors).toEqual([]);
  });
});

describeOverSockets('a client who leaves', () => {
  itOverHttp('fires the signal, and hooks hear of it as 499', async () => {
    const started = defer();
    const left = defer<unknown>();
    const answered: number[] = [];
    const handler = capability.withContext<{ readonly signal: AbortSignal }>()(
      (_input, { signal }) => {
        signal.addEventListener('abort', () => left.resolve(signal.reason));
        started.resolve();
        return never();
      },
    );
    const { url, request } = await startOverSocket({
      capabilities: { jobs: { getJobs: handler, createJob: capability(() => 1) } },
      hooks: { onResponse: ({ status }) => void answered.push(status) },
    });
    const leaving = new AbortController();
    const answer = fetch(`${url}/jobs`, { signal: leaving.signal });
    answer.catch(() => {});
    await started.promise;
    leaving.abort();
    expect(await left.promise).toMatchObject({
      name: 'AbortError',
      message: 'The caller closed the connection.',
    });
    expect((await request('/jobs', json({}))).status).toBe(200);
    expect(answered).toEqual([499, 200]);
  });

  it('is no error in the middle of its body', async () => {
    const { url, request, log } = await startOverSocket({
      capabilities: { jobs: { createJob: capability(z.object({}), () => 1) } },
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'POST /jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    );
    socket.end();
    await once(socket.resume(), 'close');
    expect((await request('/jobs', json({}))).status).toBe(200);
    expect(log.errors).toEqual([]);
  });

  it('fires the signal in memory too', async () => {
    const started = defer();
    const left = defer<unknown>();
    const handler = capability.withContext<{ readonly signal: AbortSignal }>()(
      (_input, { signal }) => {
        signal.addEventListener('abort', () => left.resolve(signal.reason));
        started.resolve();
        return never();
      },
    );
    const answer = toFetchHandler(
      createServer({ capabilities: { jobs: { getJobs: handler } }, logger: silentLogger }),
    );
    const leaving = new AbortController();
    const response = answer(new Request('http://in-memory/jobs', { signal: leaving.signal }));
    await started.promise;
    leaving.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
    expect(await left.promise).toMatchObject({ name: 'AbortError' });
  });

  it('may have left before its request came, in memory', async () => {
    const answer = toFetchHandler(
      createServer({
        capabilities: { jobs: { getJobs: capability(never) } },
        logger: silentLogger,
      }),
    );
    const left = AbortSignal.abort();
    await expect(
      answer(new Request('http://in-memory/jobs', { signal: left })),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

it.each([[0], [-1], [Number.NaN], [2 ** 31]])('refuses a timeoutMs of %d', (timeoutMs) => {
  expect(() => restTransport({ timeoutMs })).toThrow(
    /restTransport timeoutMs: expected milliseconds from 1/,
  );
});
