import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClient, createClientOf } from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  restTransport,
  silentLogger,
  sse,
  stream,
} from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';

/** The ids with which the streams of a test were requested. */
type Asked = (string | undefined)[];

/** A stream that says 1, 2, … and ends behind `last`; the first run of it waits for ever behind `held` items. */
function createApp(asked: Asked, { held = 2, last = 3, withIds = true } = {}) {
  const context = defineContext(({ headers }) => ({
    lastEventId: headers['last-event-id']?.toString(),
  }));
  const count = async function* (
    _input: unknown,
    {
      lastEventId,
      signal,
    }: { readonly lastEventId: string | undefined; readonly signal: AbortSignal },
  ) {
    asked.push(lastEventId);
    const isFirst = asked.length === 1;
    for (let n = Number(lastEventId ?? 0) + 1; n <= last; n++) {
      if (isFirst && n > held)
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield withIds ? sse(n, { id: String(n), retryMs: 1 }) : n;
    }
  };
  const cap = capability.withContext<{ readonly lastEventId: string | undefined }>();
  const declared = cap.input(z.object({})).output(stream(z.number()));
  const capabilities = {
    numbers: { watch: declared(count as never, 'query'), make: declared(count as never) },
  };
  const create = () =>
    createServer({
      context,
      capabilities,
      transports: [restTransport({ port, host: '127.0.0.1', calls: true, heartbeatMs: 1000 })],
      logger: silentLogger,
    });
  let port = 0;
  let server = create();
  return {
    start: async () => {
      const [started] = await server.start();
      const url = started?.url ?? '';
      port = Number(new URL(url).port);
      return url;
    },
    restart: async (between: () => Promise<void> = async () => {}) => {
      await server.stop({ graceMs: 0 });
      await between();
      server = create();
      await server.start();
    },
    stop: () => server.stop({ graceMs: 0 }),
    capabilities,
  };
}

type Watch = (name: 'watch' | 'make', options: object) => Promise<AsyncIterable<number>>;
type App = ReturnType<typeof createApp>;

const clients: readonly (readonly [string, (options: object) => Watch])[] = [
  [
    'inferred',
    (options) => async (name) =>
      createClient<App['capabilities']>(options as never).numbers[name]({}) as never,
  ],
  [
    'written',
    (options) => async (name) => {
      interface Api {
        readonly numbers: Record<
          'watch' | 'make',
          (input: object) => Promise<AsyncIterable<number>>
        >;
      }
      const facts = { contents: { 200: 'stream' } } as const;
      const routes = {
        'numbers.watch': ['GET', '/numbers/watch', facts],
        'numbers.make': ['POST', '/numbers/make', facts],
      } as const;
      return createClientOf<Api>(routes)(options as never).numbers[name]({});
    },
  ],
];

describe.each(clients)('a live stream of the %s client', (_name, connect) => {
  it('goes on behind its last event where the server is stopped in good order and started again', async () => {
    const asked: Asked = [];
    const app = createApp(asked);
    const items = await connect({ baseUrl: await app.start() })('watch', {});
    const seen: number[] = [];
    for await (const item of items) {
      seen.push(item);
      if (item === 2) void app.restart();
    }
    expect([seen, asked]).toEqual([
      [1, 2, 3],
      [undefined, '2'],
    ]);
    await app.stop();
  });

  it('outlives ten deployments, each with 502 and 503 of a proxy and its page in between', async () => {
    const asked: Asked = [];
    const app = createApp(asked, { held: 0, last: 20 });
    const baseUrl = await app.start();
    const pages = [
      () =>
        new Response('<h1>Bad gateway</h1>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        }),
      () => Response.json({ error: 'ServiceUnavailable', message: '' }, { status: 503 }),
      () => new Response('<h1>Soon</h1>', { headers: { 'content-type': 'text/html' } }),
      () => Promise.reject(new TypeError('fetch failed')),
    ];
    let cuts = 0;
    /** Each stream breaks off behind two events, and the next three requests do not reach the server. */
    let faults: (() => Response | Promise<Response>)[] = [];
    const throughProxy = async (...args: Parameters<typeof fetch>): Promise<Response> => {
      const fault = faults.shift();
      if (fault !== undefined) return fault();
      const response = await fetch(...args);
      if (cuts++ >= 10) return response;
      faults = [...pages];
      let left = 2;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (left-- > 0) controller.enqueue(chunk);
          else controller.error(new TypeError('terminated'));
        },
      });
      return new Response(response.body?.pipeThrough(cut) ?? null, response);
    };
    asked.push('not the first');
    const items = await connect({ baseUrl, fetch: throughProxy })('watch', {});
    const seen: number[] = [];
    for await (const item of items) seen.push(item);
    expect(seen).toEqual([...Array(20).keys()].map((at) => at + 1));
    await app.stop();
  });

  it('without an event yet is requested from its start, where the call changes nothing', async () => {
    const asked: Asked = [];
    const app = createApp(asked, { held: 0 });
    const watch = connect({ baseUrl: await app.start() });
    const items = await watch('watch', {});
    void app.restart();
    const seen: number[] = [];
    for await (const item of items) seen.push(item);
    expect([seen, asked]).toEqual([
      [1, 2, 3],
      [undefined, undefined],
    ]);
    asked.length = 0;
    const made = await watch('make', {});
    const next = made[Symbol.asyncIterator]().next();
    await Promise.all([
      expect(next).rejects.toMatchObject({ name: 'ServiceUnavailable' }),
      app.stop(),
    ]);
    expect(asked).toEqual([undefined]);
  });

  it('whose events have no ids is not requested again behind the first, whose items would come twice', async () => {
    const asked: Asked = [];
    const app = createApp(asked, { withIds: false });
    const items = await connect({ baseUrl: await app.start() })('watch', {});
    const seen: number[] = [];
    const read = async () => {
      for await (const item of items) {
        seen.push(item);
        if (item === 2) void app.stop();
      }
    };
    await expect(read()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect([seen, asked]).toEqual([[1, 2], [undefined]]);
  });

  it('fails after as many losses in a row as the option says, and at once where the API refuses', async () => {
    const asked: Asked = [];
    const app = createApp(asked, { held: 1 });
    const baseUrl = await app.start();
    let requests = 0;
    const gone = defer();
    const read = async (reconnects: number, status: number) => {
      requests = 0;
      asked.length = 0;
      const faulty = async (...args: Parameters<typeof fetch>): Promise<Response> => {
        requests++;
        if (requests > 1)
          return Response.json(
            { error: status === 503 ? 'ServiceUnavailable' : 'Unauthorized', message: '' },
            { status },
          );
        const response = await fetch(...args);
        const [first = new Uint8Array()] = [(await response.body?.getReader().read())?.value];
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(first),
          pull: async (controller) => {
            await gone.promise;
            controller.error(new TypeError('terminated'));
          },
        });
        return new Response(body, response);
      };
      const items = await connect({ baseUrl, fetch: faulty, reconnects })('watch', {});
      for await (const _item of items) gone.resolve();
    };
    await expect(read(3, 503)).rejects.toMatchObject({ status: 503 });
    expect(requests).toBe(4);
    await expect(read(0, 503)).rejects.toThrow('terminated');
    expect(requests).toBe(1);
    await expect(read(3, 401)).rejects.toMatchObject({ name: 'Unauthorized' });
    expect(requests).toBe(2);
    await app.stop();
  });

  it('that is cut within an event, with an end as of a whole body, is no end', async () => {
    const cut = async (): Promise<Response> =>
      new Response('data: 1\n\nda', { headers: { 'content-type': 'text/event-stream' } });
    const items = await connect({ baseUrl: 'http://a.test', fetch: cut })('make', {});
    const read = async () => {
      for await (const item of items) expect(item).toBe(1);
    };
    await expect(read()).rejects.toThrow('The stream ended within an event.');
  });

  it('whose own code fails ends with its error', async () => {
    const fail = async function* () {
      yield sse(1, { id: '1', retryMs: 1 });
      throw defaultErrors.Conflict();
    };
    const declared = capability.input(z.object({})).output(stream(z.number()));
    const server = createServer({
      capabilities: { numbers: { watch: declared(fail, 'query') } },
      transports: [restTransport({ port: 0, host: '127.0.0.1', calls: true })],
      logger: silentLogger,
    });
    const [started] = await server.start();
    const items = await connect({ baseUrl: started?.url })('watch', {});
    const read = async () => {
      for await (const item of items) expect(item).toBe(1);
    };
    await expect(read()).rejects.toMatchObject({ name: 'Conflict' });
    await server.stop({ graceMs: 0 });
  });
});
