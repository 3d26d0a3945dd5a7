import fc from 'fast-check';
import { EventSource } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { capability, defineContext, sse } from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor, itOverHttp } from '../../helpers/every-door.ts';
import { defer, describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

const formats = [
  ['server-sent events', 'text/event-stream'],
  ['lines of JSON', 'application/x-ndjson'],
] as const;

describeThroughEveryDoor('events with names and ids', (start) => {
  const getEvents = capability(async function* () {
    yield sse({ n: 1 }, { event: 'created', id: '7', retryMs: 0 });
    yield sse('two\nlines', { id: '' });
    yield sse(undefined);
    yield { n: 4 };
  });

  itOverHttp('are written before their data', async () => {
    const { request } = await start({ capabilities: { jobs: { getEvents } } });
    const response = await request('/jobs/events', { headers: { accept: 'text/event-stream' } });
    expect(await response.text()).toBe(
      'event: created\nid: 7\nretry: 0\ndata: {"n":1}\n\nid: \ndata: "two\\nlines"\n\ndata: null\n\ndata: {"n":4}\n\n',
    );
  });

  it('are their data in lines of JSON', async () => {
    const { request } = await start({ capabilities: { jobs: { getEvents } } });
    const headers = { accept: 'application/x-ndjson' };
    expect(await (await request('/jobs/events', { headers })).text()).toBe(
      '{"n":1}\n"two\\nlines"\nnull\n{"n":4}\n',
    );
  });

  it('let a client go on where it was: the context gets its Last-Event-ID', async () => {
    const context = defineContext(({ headers }) => ({
      seen: Number(headers['last-event-id'] ?? 0),
    }));
    const getLog = capability.withContext<{ readonly seen: number }>()(async function* (
      _input,
      { seen },
    ) {
      for (let n = seen + 1; n <= 3; n++) yield sse(n, { id: String(n) });
    });
    const { request } = await start({ capabilities: { jobs: { getLog } }, context });
    const headers = { accept: 'text/event-stream', 'last-event-id': '2' };
    expect(await (await request('/jobs/log', { headers })).text()).toBe('id: 3\ndata: 3\n\n');
  });

  /** The statuses of a stream of 1, 2 and 3 for callers that have these events. */
  const reconnect = async (
    handler: 'heeds' | 'starts over',
    ids: readonly (string | undefined)[],
  ) => {
    const context = defineContext(({ headers }) => ({
      seen: handler === 'heeds' ? Number(headers['last-event-id'] ?? 0) : 0,
    }));
    const getLog = capability.withContext<{ readonly seen: number }>()(async function* (
      _input,
      { seen },
    ) {
      for (let n = seen + 1; n <= 3; n++) yield sse(n, { id: String(n) });
    });
    const { request } = await start({ capabilities: { jobs: { getLog } }, context });
    const answers: string[] = [];
    for (const id of ids) {
      const headers = { accept: '*/*', ...(id !== undefined && { 'last-event-id': id }) };
      const response = await request('/jobs/log', { headers });
      const count = (await response.text()).split('data: ').length - 1;
      answers.push(`${response.status} ${response.headers.get('content-type')} ${count}`);
    }
    return answers;
  };
  const events = '200 text/event-stream; charset=utf-8';

  itOverHttp(
    'end with 204 for who has the last of them, where the handler heeds the id',
    async () => {
      expect(await reconnect('heeds', ['3', '2', undefined, '3', '1'])).toEqual([
        '204 null 0',
        `${events} 1`,
        `${events} 3`,
        '204 null 0',
        `${events} 2`,
      ]);
    },
  );

  itOverHttp(
    'end with 204 for who has the last of them, where the handler starts over',
    async () => {
      expect(await reconnect('starts over', ['3', undefined, '3', '2', undefined, '3'])).toEqual([
        `${events} 3`,
        `${events} 3`,
        '204 null 0',
        `${events} 3`,
        `${events} 3`,
        '204 null 0',
      ]);
    },
  );

  it('go on where there are more of them since', async () => {
    let last = 2;
    const context = defineContext(({ headers }) => ({
      seen: Number(headers['last-event-id'] ?? 0),
    }));
    const getLog = capability.withContext<{ readonly seen: number }>()(async function* (
      _input,
      { seen },
    ) {
      for (let n = seen + 1; n <= last; n++) yield sse(n, { id: String(n) });
    });
    const { request } = await start({ capabilities: { jobs: { getLog } }, context });
    await (await request('/jobs/log')).text();
    last = 3;
    const headers = { 'last-event-id': '2' };
    expect(await (await request('/jobs/log', { headers })).text()).toBe('id: 3\ndata: 3\n\n');
  });

  it('never have more fields than they were given', async () => {
    let next: unknown;
    const getNext = capability(async function* () {
      yield next;
    });
    const { request } = await start({ capabilities: { jobs: { getNext } } });
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n\0]/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), line, line, async (data, event, id) => {
        next = sse(data, { event, id });
        const response = await request('/jobs/next', { headers: { accept: 'text/event-stream' } });
        expect(await response.text()).toBe(
          `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`,
        );
      }),
      { numRuns: 100 },
    );
  });
});

it.each([
  [{ event: 'a\nb' }, 'sse event: expected a text of one line, got "a\\nb".'],
  [{ id: 'a\r' }, 'sse id: expected a text of one line, got "a\\r".'],
  [{ id: 'a\0' }, 'sse id'],
  [{ id: 7 as unknown as string }, 'sse id: expected a text of one line, got 7.'],
  [{ retryMs: 1.5 }, 'sse retryMs: expected an integer of at least 0, got 1.5.'],
  [{ retryMs: -1 }, 'sse retryMs'],
])('refuses an event with %j', (options, message) => {
  expect(() => sse(1, options)).toThrow(message);
});

describeEverywhere('the format of an async iterable', (start) => {
  const getOne = capability(async function* () {
    yield 1;
  });

  it.each([
    ['text/event-stream', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['Text/Event-Stream', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    [
      'application/json, text/event-stream;q=0.5',
      'text/event-stream; charset=utf-8',
      'data: 1\n\n',
    ],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8', '1\n'],
    ['application/json', 'application/x-ndjson; charset=utf-8', '1\n'],
    ['*/*', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['application/json, text/plain, */*', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['text/*', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['application/*', 'application/x-ndjson; charset=utf-8', '1\n'],
    ['application/x-ndjson, */*', 'application/x-ndjson; charset=utf-8', '1\n'],
    ['application/x-ndjson;q=0.5, */*', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['text/event-stream, application/x-ndjson', 'text/event-stream; charset=utf-8', 'data: 1\n\n'],
    ['text/html', 'application/x-ndjson; charset=utf-8', '1\n'],
  ])('for %s is %s', async (accept, type, text) => {
    const { request } = await start({ capabilities: { jobs: { getOne } } });
    const response = await request('/jobs/one', { headers: { accept } });
    expect([response.headers.get('content-type'), await response.text()]).toEqual([type, text]);
  });
});

describeThroughEveryDoor('an async iterable of a kind of its own', (start) => {
  const iteratorOf = (next: () => unknown): AsyncIterable<unknown> =>
    ({ [Symbol.asyncIterator]: () => ({ next }) }) as AsyncIterable<unknown>;

  it.each<[string, () => unknown, number, string]>([
    [
      'gives its items without a promise',
      () => {
        let n = 0;
        return iteratorOf(() => ({ done: n === 2, value: n++ }));
      },
      200,
      '0\n1\n',
    ],
    [
      'throws at once',
      () =>
        iteratorOf(() => {
          throw new Error('secret');
        }),
      500,
      '{"error":"Internal","message":"Internal server error"}',
    ],
    [
      'throws something that is not an error',
      () => iteratorOf(() => Promise.reject(new Map())),
      500,
      '{"error":"Internal","message":"Internal server error"}',
    ],
    [
      'throws at once after its first item',
      () => {
        let n = 0;
        return iteratorOf(() => {
          if (n > 0) throw new Error('secret');
          return Promise.resolve({ done: false, value: n++ });
        });
      },
      200,
      '0\n{"error":"Internal","message":"Internal server error"}\n',
    ],
    [
      'gives what JSON cannot hold',
      () =>
        (async function* () {
          yield 1;
          const circle: Record<string, unknown> = {};
          circle['again'] = circle;
          yield circle;
        })(),
      200,
      '1\n{"error":"Internal","message":"Internal server error"}\n',
    ],
    [
      'cannot be iterated',
      () => ({
        [Symbol.asyncIterator]: () => {
          throw new Error('secret');
        },
      }),
      500,
      '{"error":"Internal","message":"Internal server error"}',
    ],
  ])('%s', async (_name, toItems, status, text) => {
    const { request, log } = await start({
      capabilities: { jobs: { getItems: capability(toItems) } },
    });
    const response = await request('/jobs/items', { headers: { accept: 'application/x-ndjson' } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(log.errors).toHaveLength(text.includes('Internal') ? 1 : 0);
  });
});

describeThroughEveryDoor('a client of an async iterable', (start) => {
  it.each(formats)('who leaves ends it and fires the signal: %s', async (_name, accept) => {
    const ended = defer();
    const aborted = defer();
    const getAll = capability.withContext<{ readonly signal: AbortSignal }>()(async function* (
      _input,
      { signal },
    ) {
      signal.addEventListener('abort', () => aborted.resolve());
      try {
        for (let n = 0; ; n++) yield n;
      } finally {
        ended.resolve();
      }
    });
    const { request, log } = await start({ capabilities: { jobs: { getAll } } });
    const reader = (await request('/jobs/all', { headers: { accept } })).body!.getReader();
    await reader.read();
    await reader.cancel();
    await Promise.all([ended.promise, aborted.promise]);
    expect(log.errors).toEqual([]);
  });

  it.each(formats)('who leaves while it waits ends it too: %s', async (_name, accept) => {
    const ended = defer();
    const items = {
      [Symbol.asyncIterator]: () => {
        let asked = 0;
        return {
          next: () =>
            asked++ === 0
              ? Promise.resolve({ done: false, value: 1 })
              : new Promise<never>(() => {}),
          return: () => {
            ended.resolve();
            return Promise.resolve({ done: true as const, value: undefined });
          },
        };
      },
    };
    const { request } = await start({
      capabilities: { jobs: { getAll: capability(() => items) } },
    });
    const reader = (await request('/jobs/all', { headers: { accept } })).body!.getReader();
    await reader.read();
    await reader.cancel();
    await expect(ended.promise).resolves.toBeUndefined();
  });

  it.each(formats)('who reads slowly is asked for: %s', async (_name, accept) => {
    let asked = 0;
    const getAll = capability(async function* () {
      for (;;) {
        asked++;
        yield 'x'.repeat(100_000);
      }
    });
    const { request } = await start({
      capabilities: { jobs: { getAll, createOne: capability(() => 1) } },
    });
    const reader = (await request('/jobs/all', { headers: { accept } })).body!.getReader();
    await reader.read();
    let before = -1;
    while (asked !== before) {
      before = asked;
      for (let round = 0; round < 20; round++) await (await request('/jobs', json({}))).text();
    }
    expect(asked).toBeLessThan(500);
    await reader.cancel();
  });

  itOverHttp.each([
    [...formats[0], ':\n\n'],
    [...formats[1], '\n'],
  ] as const)('is told that it lives while nothing comes: %s', async (_name, accept, beat) => {
    const held = defer();
    const getSlow = capability(async function* () {
      yield 1;
      await held.promise;
      yield 2;
    });
    const { request } = await start({
      capabilities: { jobs: { getSlow } },
      rest: { heartbeatMs: 10 },
    });
    const response = await request('/jobs/slow', { headers: { accept } });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes(`${beat}${beat}${beat}`)) held.resolve();
    }
    expect(text.split(beat).filter((line) => line !== '')).toEqual(
      accept.includes('event') ? ['data: 1\n\n', 'data: 2\n\n'] : ['1', '2'],
    );
  });
});

it('`EventSource` gets each event of a stream with ids once, and stops', async () => {
  let runs = 0;
  const getLog = capability(async function* () {
    runs += 1;
    for (let n = 1; n <= 3; n++) yield sse(n, { id: String(n), retryMs: 1 });
  });
  const { url } = await startOverSocket({ capabilities: { jobs: { getLog } } });
  const source = new EventSource(`${url}/jobs/log`);
  onTestFinished(() => source.close());
  const received: unknown[] = [];
  source.addEventListener('message', ({ data }) => received.push(data));
  await expect.poll(() => source.readyState).toBe(EventSource.CLOSED);
  expect([received, runs]).toEqual([['1', '2', '3'], 2]);
});
