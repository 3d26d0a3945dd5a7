import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type App,
  type CapabilityFactory,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  definePlugin,
  type Plugin,
  type Server,
  silentLogger,
  type Transport,
  withTimeout,
} from '../../../server-runtime/index.ts';
import type { AnsweredRequest, FailedRequest } from '../../../server-runtime/server/hooks.ts';

const never = (): Promise<never> => new Promise(() => {});
type Ctx = Record<string, unknown> & { signal: AbortSignal };
/** Its handlers look at whatever the context holds. */
const cap = capability as unknown as CapabilityFactory<Ctx, unknown>;

function fakeTransport(log: string[], name: string, fails = false): Transport & { app?: App } {
  const transport: Transport & { app?: App } = {
    name,
    start: async (app) => {
      if (fails) throw new Error(`${name} cannot start`);
      transport.app = app;
      log.push(`start ${name}`);
      return {
        url: `http://localhost/${name}`,
        routes: [{ method: 'GET', path: `/${name}`, key: `${name}.get` }],
      };
    },
    stop: async ({ graceMs }) => void log.push(`stop ${name} ${graceMs}`),
  };
  return transport;
}

describe('createServer', () => {
  it('starts its transports in order and announces where they listen', async () => {
    const log: string[] = [];
    const lines: string[] = [];
    const server = createServer({
      capabilities: { a: { ping: cap(() => 1) } },
      transports: [fakeTransport(log, 'one'), fakeTransport(log, 'two')],
      logger: { ...silentLogger, info: (line) => lines.push(line) },
    });
    await server.start();
    await server.stop();
    expect(log).toEqual(['start one', 'start two', 'stop one 10000', 'stop two 10000']);
    expect(lines).toEqual([
      '[capix] Server started on http://localhost/one',
      '[capix] Server started on http://localhost/two',
      '[capix] Routes:',
      '  GET   /one  one.get',
      '  GET   /two  two.get',
    ]);
  });

  it('leaves nothing open when one transport cannot start', async () => {
    const log: string[] = [];
    const server = createServer({
      transports: [fakeTransport(log, 'one'), fakeTransport(log, 'two', true)],
      logger: silentLogger,
    });
    await expect(server.start()).rejects.toThrow('two cannot start');
    expect(log).toEqual(['start one', 'stop one 0']);
    await server.stop();
    expect(log).toHaveLength(2);
  });

  it('gives a transport its own capabilities', async () => {
    const own = { ...fakeTransport([], 'own'), capabilities: { b: { pong: cap(() => 1) } } };
    const seen: string[] = [];
    const start = own.start;
    own.start = (app) => {
      seen.push(...app.registry.operations.map(({ key }) => key));
      return start(app);
    };
    await createServer({
      capabilities: { a: { ping: cap(() => 1) } },
      transports: [own],
      logger: silentLogger,
    }).start();
    expect(seen).toEqual(['b.pong']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'refuses a timeout of %s',
    (timeoutMs) => {
      expect(() => createServer({ timeoutMs })).toThrow(
        /createServer timeoutMs: expected milliseconds/,
      );
    },
  );

  it('refuses a context that defineContext did not make', () => {
    expect(() => createServer({ context: (() => ({})) as never })).toThrow(
      'createServer context: expected defineContext(…), got function.',
    );
  });
});

describe('plugins', () => {
  it('names both owners of a key that exists twice', () => {
    const plugin = definePlugin({ name: 'audit', capabilities: { a: { ping: cap(() => 2) } } });
    expect(() =>
      createServer({ capabilities: { a: { ping: cap(() => 1) } }, plugins: [plugin] as Plugin[] }),
    ).toThrow("Both the application and audit declare 'a.ping'");
    expect(() =>
      createServer({
        plugins: [
          plugin,
          definePlugin({ capabilities: { a: { ping: cap(() => 1) } } }),
        ] as Plugin[],
      }),
    ).toThrow("Both audit and plugin 2 declare 'a.ping'");
  });

  it('extends the context in order, after the builder', async () => {
    const server = createServer({
      context: defineContext(() => ({ first: 1 })),
      capabilities: { a: { all: cap((_, ctx) => ({ ...ctx })) } },
      plugins: [
        definePlugin({ context: async (_, ctx: { first: number }) => ({ second: ctx.first + 1 }) }),
        definePlugin({ context: (_, ctx: { second: number }) => ({ third: ctx.second + 1 }) }),
      ],
    });
    expect(await server.invoke({ capability: 'a.all' })).toMatchObject({
      first: 1,
      second: 2,
      third: 3,
    });
  });

  it('names both owners of a context key that exists twice', async () => {
    const server = createServer({
      context: defineContext(() => ({ user: 1 })),
      capabilities: { a: { all: cap(() => 1) } },
      plugins: [definePlugin({ name: 'auth', context: () => ({ user: 2 }) })] as Plugin[],
    });
    await expect(server.invoke({ capability: 'a.all' })).rejects.toThrow(
      "Both the context builder and auth set 'user' in the context",
    );
  });
});

describe('invoke', () => {
  const server = createServer({
    context: defineContext(({ headers, requestId }) => ({
      token: headers['authorization'],
      requestId,
    })),
    capabilities: {
      a: {
        echo: cap(z.object({ n: z.number() }), ({ n }, ctx) => ({
          n,
          token: ctx['token'],
          requestId: ctx['requestId'],
        })),
        guarded: cap(z.object({ n: z.number() }), () => 1).guard(
          defineGuard((ctx: Ctx) => {
            if (ctx['token'] === undefined) throw defaultErrors.Unauthorized();
          }),
        ),
        hang: cap(never).enhance(withTimeout(20)),
        aborted: cap(
          (_, { signal }) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason as Error)),
            ),
        ).enhance(withTimeout(20)),
        broken: cap(() => {
          throw new Error('broken');
        }),
        wrong: cap(() => ({ name: 3 }) as unknown as { name: string }).output(
          z.object({ name: z.string() }),
        ),
      },
    },
  });

  it('goes through context, validation and handler', async () => {
    const headers = { Authorization: 'Bearer x', 'X-Request-Id': 'mine' };
    expect(await server.invoke({ capability: 'a.echo', input: { n: 3 }, headers })).toEqual({
      n: 3,
      token: 'Bearer x',
      requestId: 'mine',
    });
  });

  it.each(['two words', 'x'.repeat(129), 'naïve', ''])('replaces the request id %j', async (id) => {
    const { requestId } = (await server.invoke({
      capability: 'a.echo',
      input: { n: 3 },
      headers: { 'x-request-id': id },
    })) as { requestId: string };
    expect(requestId).toMatch(/^[\x21-\x7e]{1,128}$/);
    expect(requestId).not.toBe(id);
  });

  it.each([
    [
      'an unknown capability',
      'a.none',
      {},
      { name: 'NotFound', message: "There is no capability 'a.none'." },
    ],
    [
      'an invalid input',
      'a.echo',
      { n: '3' },
      {
        name: 'BadRequest',
        meta: { issues: ['n: Invalid input: expected number, received string'] },
      },
    ],
    [
      'a refused caller, whatever the input',
      'a.guarded',
      { n: '3' },
      { name: 'Unauthorized', status: 401 },
    ],
    ['a handler that never ends', 'a.hang', {}, { name: 'Timeout', status: 504 }],
    ['a handler that ends by its signal', 'a.aborted', {}, { name: 'Timeout', status: 504 }],
    ['a broken handler', 'a.broken', {}, { message: 'broken' }],
    [
      'a value that does not fit the output',
      'a.wrong',
      {},
      {
        message: expect.stringContaining(
          'a.wrong returned a value that does not fit its output schema: name:',
        ),
      },
    ],
  ])('rejects %s', async (_, capabilityKey, input, error) => {
    await expect(
      (server as Server).invoke({ capability: capabilityKey, input }),
    ).rejects.toMatchObject(error);
  });

  it('ends when the caller leaves', async () => {
    const leave = new AbortController();
    const call = server.invoke({ capability: 'a.hang', signal: leave.signal });
    leave.abort();
    await expect(call).rejects.toMatchObject({ status: 503, message: 'The call was cancelled' });
    await expect(
      server.invoke({ capability: 'a.echo', input: { n: 1 }, signal: leave.signal }),
    ).rejects.toMatchObject({
      status: 503,
    });
  });

  it('gives the context a signal, also where the builder returns a frozen object or has one of its own', async () => {
    const own = new AbortController().signal;
    const capabilities = { a: { signal: cap((_, ctx) => ctx.signal) } };
    for (const built of [{}, Object.freeze({})]) {
      expect(
        await createServer({ context: defineContext(() => built), capabilities }).invoke({
          capability: 'a.signal',
        }),
      ).toBeInstanceOf(AbortSignal);
    }
    expect(
      await createServer({ context: defineContext(() => ({ signal: own })), capabilities }).invoke({
        capability: 'a.signal',
      }),
    ).toBe(own);
    expect(await createServer({ capabilities }).invoke({ capability: 'a.signal' })).toBeInstanceOf(
      AbortSignal,
    );
  });

  it('gives each request its own signal where the builder returns the same object every time', async () => {
    const shared = { user: 1 };
    const server = createServer({
      context: defineContext(() => shared),
      capabilities: { a: { signal: cap((_, ctx) => ctx.signal) } },
    });
    const first = await server.invoke({ capability: 'a.signal' });
    expect(await server.invoke({ capability: 'a.signal' })).not.toBe(first);
    expect(Object.keys(shared)).toEqual(['user']);
  });

  it('gives the signal of its request to an object derived from the context', async () => {
    const capabilities = {
      a: { same: cap((_, ctx) => (Object.create(ctx) as Ctx).signal === ctx.signal) },
    };
    const server = createServer({ context: defineContext(() => ({})), capabilities });
    expect(await server.invoke({ capability: 'a.same' })).toBe(true);
  });

  it('rejects when the context builder throws or returns no object', async () => {
    const refused = createServer({
      context: defineContext(() => {
        throw defaultErrors.Forbidden();
      }),
      capabilities: { a: { ping: cap(() => 1) } },
    });
    await expect(refused.invoke({ capability: 'a.ping' })).rejects.toMatchObject({
      name: 'Forbidden',
    });
    const nothing = createServer({
      context: defineContext(() => undefined as never),
      capabilities: { a: { ping: cap(() => 1) } },
    });
    await expect(nothing.invoke({ capability: 'a.ping' })).rejects.toThrow(
      'must return an object, got undefined',
    );
  });
});

describe('hooks', () => {
  it('see failures, and change nothing when they fail themselves', async () => {
    const failed: FailedRequest[] = [];
    const logged: string[] = [];
    const server = createServer({
      capabilities: {
        a: {
          missing: cap(() => {
            throw defaultErrors.NotFound();
          }),
        },
      },
      hooks: { onError: (event) => void failed.push(event) },
      plugins: [
        definePlugin({
          hooks: {
            onError: () => {
              throw new Error('hook');
            },
          },
        }),
        definePlugin({
          hooks: {
            onError: () => Promise.reject(new Error('hook')),
            onResponse: (_: AnsweredRequest) => {},
          },
        }),
      ],
      logger: { ...silentLogger, error: (message) => logged.push(message) },
    });
    await expect(server.invoke({ capability: 'a.missing' })).rejects.toMatchObject({ status: 404 });
    await Promise.resolve();
    expect(failed).toMatchObject([{ capability: 'a.missing', failure: { status: 404 } }]);
    expect(logged).toEqual(
      Array(2).fill('[capix] The onError hook failed; the request was answered all the same.'),
    );
  });
});
