import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { capability, defaultErrors, reply } from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import { defer, describeEverywhere } from '../../helpers/start-rest.ts';

const internal = { error: 'Internal', message: 'Internal server error' };
const failing = (error: Error): Readable =>
  new Readable({
    read() {
      this.destroy(error);
    },
  });
const failingOfWeb = (): ReadableStream =>
  new ReadableStream({ pull: () => Promise.reject(new Error('secret')) });

async function toUsedStream(): Promise<Readable> {
  const stream = Readable.from(['abc']);
  for await (const chunk of stream) void chunk;
  return stream;
}

async function toUsedResponse(): Promise<Response> {
  const response = new Response('abc');
  await response.text();
  return response;
}

function toLockedResponse(): Response {
  const response = new Response('abc');
  response.body?.getReader();
  return response;
}

describeEverywhere('a stream that fails before its first byte', (start) => {
  it.each<[string, () => unknown, number, object]>([
    ['a stream of Node', () => failing(new Error('secret')), 500, internal],
    [
      'a stream of Node with a refusal',
      () => failing(defaultErrors.NotFound('No such report')),
      404,
      { error: 'NotFound', message: 'No such report' },
    ],
    ['a file that is not there', () => createReadStream('/nowhere/at/all'), 500, internal],
    ['a stream that was destroyed before', () => Readable.from(['a']).destroy(), 500, internal],
    [
      'a stream that was destroyed with an error before',
      () =>
        failing(new Error('secret'))
          .on('error', () => {})
          .destroy(new Error('x')),
      500,
      internal,
    ],
    ['a stream that was read before', toUsedStream, 500, internal],
    ['a stream of objects', () => Readable.from([{ a: 1 }]), 500, internal],
    ['a stream of the web', failingOfWeb, 500, internal],
    [
      'a stream of the web with something that is not an error',
      () => new ReadableStream({ start: (controller) => controller.error('text') }),
      500,
      internal,
    ],
    [
      'a stream of the web that is locked',
      () => {
        const stream = new Blob(['a']).stream();
        stream.getReader();
        return stream;
      },
      500,
      internal,
    ],
    ['a stream of the web of objects', () => ReadableStream.from([{ a: 1 }]), 500, internal],
    [
      'a Response whose body fails',
      () => new Response(failingOfWeb(), { status: 201 }),
      500,
      internal,
    ],
    ['a Response that was read before', toUsedResponse, 500, internal],
    ['a Response that is locked', toLockedResponse, 500, internal],
    [
      'a reply with a stream',
      () =>
        reply(failing(new Error('secret')), {
          status: 201,
          headers: { 'content-type': 'text/csv' },
        }),
      500,
      internal,
    ],
  ])('is answered as any other failure: %s', async (_name, toAnswer, status, body) => {
    const capabilities = {
      answers: { getStream: capability(toAnswer), listAnswers: capability(() => 1) },
    };
    const { request, log } = await start({ capabilities });
    const response = await request('/answers/stream');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(await response.json()).toEqual(body);
    expect(log.errors).toHaveLength(status === 500 ? 1 : 0);
    expect((await request('/answers')).status).toBe(200);
  });
});

describeEverywhere('a stream that has no place in its answer', (start) => {
  it.each([
    [204, 'GET', 204],
    [304, 'GET', 304],
    [200, 'HEAD', 200],
  ])('is destroyed, and its fault is nobody’s: %i to %s', async (status, method, expected) => {
    const closed = defer();
    const toStream = (): Readable =>
      createReadStream('/nowhere/at/all').once('close', () => closed.resolve());
    const { request, log } = await start({
      capabilities: { answers: { getStream: capability(() => reply(toStream(), { status })) } },
    });
    const response = await request('/answers/stream', { method });
    expect([response.status, await response.text()]).toEqual([expected, '']);
    await closed.promise;
    expect(log.errors.length).toBeLessThanOrEqual(1);
  });
});

describeEverywhere('a stream that fails after its first byte', (start) => {
  it.each<[string, () => unknown]>([
    [
      'a stream of Node',
      () => {
        const chunks = ['abc', new Error('disk gone')];
        return new Readable({
          read() {
            const next = chunks.shift();
            setImmediate(() => (next instanceof Error ? this.destroy(next) : this.push(next)));
          },
        });
      },
    ],
    [
      'a stream of the web',
      () => {
        const chunks = ['abc', new Error('disk gone')];
        return new ReadableStream({
          async pull(controller) {
            const next = chunks.shift();
            await new Promise(setImmediate);
            if (next instanceof Error) throw next;
            controller.enqueue(new TextEncoder().encode(next));
          },
        });
      },
    ],
  ])('breaks the answer off and logs why: %s', async (_name, toStream) => {
    const capabilities = {
      answers: { getStream: capability(toStream), listAnswers: capability(() => 1) },
    };
    const { request, log } = await start({ capabilities });
    const response = await request('/answers/stream');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(log.errors).toEqual([expect.objectContaining({ error: new Error('disk gone') })]);
    expect((await request('/answers')).status).toBe(200);
  });
});

describeEverywhere('a stream whose first byte takes long', (start) => {
  it('sends its head before, and all of its bytes', async () => {
    const stream = new PassThrough();
    const { request } = await start({
      capabilities: { answers: { getStream: capability(() => stream) } },
    });
    const response = await request('/answers/stream');
    stream.end('abc');
    expect([response.status, await response.text()]).toEqual([200, 'abc']);
  });

  it('is destroyed when the client leaves, which hooks hear of as 499', async () => {
    const stream = new PassThrough();
    const returned = defer();
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    const answered: number[] = [];
    const getStream = capability(() => {
      returned.resolve();
      return stream;
    });
    const { request, log } = await start({
      capabilities: { answers: { getStream } },
      hooks: { onResponse: ({ status }) => void answered.push(status) },
    });
    const leaving = new AbortController();
    const answer = request('/answers/stream', { signal: leaving.signal });
    answer.catch(() => {});
    await returned.promise;
    leaving.abort();
    await closed;
    expect([answered, log.errors]).toEqual([[499], []]);
  });
});

describeThroughEveryDoor('an iterator that gives no {value, done}', (start) => {
  const after = (items: readonly unknown[], given: unknown) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        items.length === 0 ? given : { value: [...items], done: (items = []).length > 0 },
    }),
  });

  it.each([[undefined], [null], ['text'], [7], [Promise.resolve(undefined)]])(
    'but %s at once is 500',
    async (given) => {
      const { request, log } = await start({
        capabilities: { jobs: { listJobs: capability(() => after([], given)) } },
      });
      const response = await request('/jobs');
      expect([response.status, await response.json()]).toEqual([500, internal]);
      expect(String(log.errors[0]?.error)).toMatch(
        /^TypeError: The iterator gave \w+ in place of {value, done}/,
      );
    },
  );

  it.each([[undefined], [null], ['text'], [7], [Promise.resolve(undefined)]])(
    'but %s later ends with an error',
    async (given) => {
      const { request } = await start({
        capabilities: { jobs: { listJobs: capability(() => after([1], given)) } },
      });
      const response = await request('/jobs', { headers: { accept: 'application/x-ndjson' } });
      expect(await response.text()).toBe(`[1]\n${JSON.stringify(internal)}\n`);
    },
  );
});
