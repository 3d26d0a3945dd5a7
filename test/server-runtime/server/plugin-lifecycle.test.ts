import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  capability,
  createServer,
  definePlugin,
  noContent,
  type Plugin,
  restTransport,
  type Server,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { PluginOptions } from '../../../server-runtime/server/plugin.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

/** A plugin that notes when it starts and stops. */
function noting(
  name: string,
  seen: string[],
  more: Pick<PluginOptions, 'start' | 'stop' | 'startTimeoutMs'> = {},
) {
  return definePlugin({
    name,
    start: () => void seen.push(`${name} starts`),
    stop: () => void seen.push(`${name} stops`),
    ...more,
  });
}

const failing = { start: () => Promise.reject(new Error('ECONNREFUSED')) };
const hanging = () => new Promise<void>(() => {});

async function listen(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

describe('server.start() and stop()', () => {
  it('start the plugins in order before anything listens, and stop them in reverse after the last call', async () => {
    const seen: string[] = [];
    const [begun, end] = [defer(), defer()];
    const server = createServer({
      capabilities: {
        items: {
          listItems: capability(async () => {
            begun.resolve();
            await end.promise;
            seen.push('answered');
            return [];
          }),
        },
      },
      plugins: [
        noting('db', seen, {
          start: async () => {
            await new Promise(setImmediate);
            seen.push('db starts');
          },
        }),
        noting('bus', seen),
      ],
      hooks: { onReadiness: ({ isReady }) => void seen.push(`ready: ${isReady}`) },
      transports: [
        {
          name: 'seen',
          start: async () => ({ routes: [] }),
          stop: async () => {},
          open: () => void seen.push('open'),
        },
        restTransport({ port: 0 }),
      ],
      logger: recordLog(),
    });
    const [, started] = await server.start();
    const answer = fetch(`${started?.url}/items`);
    await begun.promise;
    const stopped = server.stop();
    await new Promise(setImmediate);
    expect(seen).toEqual(['db starts', 'bus starts', 'open', 'ready: true', 'ready: false']);
    end.resolve();
    expect((await answer).status).toBe(200);
    await stopped;
    expect(seen.slice(5)).toEqual(['answered', 'bus stops', 'db stops']);
  });

  it('close what has started where a later one does not start, and start all of it again', async () => {
    const seen: string[] = [];
    let isAway = true;
    const http = vi.fn<() => object>(() => ({ routes: [] }));
    const server = createServer({
      plugins: [
        noting('db', seen),
        noting('mail', seen),
        noting('bus', seen, {
          start: () => {
            if (isAway) throw new Error('ECONNREFUSED');
            seen.push('bus starts');
          },
        }),
        noting('last', seen),
      ],
      transports: [{ name: 'seen', start: async () => http(), stop: async () => {} } as never],
      logger: recordLog(),
    });
    await expect(server.start()).rejects.toThrow('The plugin bus did not start: ECONNREFUSED');
    expect(http).not.toHaveBeenCalled();
    expect(seen).toEqual(['db starts', 'mail starts', 'mail stops', 'db stops']);
    isAway = false;
    await server.stop();
    await server.start();
    expect(seen.slice(4)).toEqual(['db starts', 'mail starts', 'bus starts', 'last starts']);
    expect(http).toHaveBeenCalledOnce();
    await server.stop();
  });

  it('close the plugins where a transport does not start', async () => {
    const seen: string[] = [];
    const server = createServer({
      plugins: [noting('db', seen)],
      transports: [restTransport({ port: 0, host: '203.0.113.7' })],
      logger: recordLog(),
    });
    await expect(server.start()).rejects.toThrow();
    expect(seen).toEqual(['db starts', 'db stops']);
  });

  it('skip none where one throws, and log it', async () => {
    const seen: string[] = [];
    const log = recordLog();
    const fault = new Error('still in use');
    const server = createServer({
      plugins: [
        noting('first', seen),
        noting('second', seen, { stop: () => Promise.reject(fault) }),
        noting('third', seen, {
          stop: () => {
            throw fault;
          },
        }),
      ],
      logger: log,
    });
    await server.start();
    await server.stop();
    expect(seen.at(-1)).toBe('first stops');
    expect(log.errors.map(({ message, error }) => [message, error])).toEqual([
      ['[capix] The plugin third failed to stop', fault],
      ['[capix] The plugin second failed to stop', fault],
    ]);
  });

  it('wait for a stop that hangs as long as the grace lasts, stop the others, and say so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const seen: string[] = [];
    const log = recordLog();
    const graces: number[] = [];
    const server = createServer({
      plugins: [
        noting('db', seen),
        noting('bus', seen, {
          stop: ({ graceMs }) => {
            graces.push(graceMs);
            return hanging();
          },
        }),
      ],
      logger: log,
    });
    await server.start();
    const stopped = server.stop({ graceMs: 5000 });
    await vi.advanceTimersByTimeAsync(4990);
    expect(seen).not.toContain('db stops');
    await vi.advanceTimersByTimeAsync(20);
    await stopped;
    expect(seen.at(-1)).toBe('db stops');
    expect(graces).toEqual([5000]);
    expect(log.errors.map(({ message }) => message)).toEqual([
      '[capix] The plugin bus has not stopped in time, and is not waited for.',
    ]);
  });

  it('end sooner by a second stop, and stop each once', async () => {
    const seen: string[] = [];
    const log = recordLog();
    const server = createServer({
      plugins: [
        noting('db', seen),
        noting('bus', seen, {
          stop: () => {
            seen.push('bus stops');
            return hanging();
          },
        }),
      ],
      logger: log,
    });
    await server.start();
    await Promise.all([server.stop({ graceMs: 600_000 }), server.stop({ graceMs: 0 })]);
    await server.stop();
    expect(seen).toEqual(['db starts', 'bus starts', 'bus stops', 'db stops']);
  });

  it('say what an object that is not an error says of itself, as WebAssembly throws one, and no other field', async () => {
    const start = () => Promise.reject({ name: 'ErrnoError', errno: 20, password: 'hunter2' });
    const server = createServer({
      plugins: [noting('db', [], { start })],
      logger: recordLog(),
    });
    await expect(server.start()).rejects.toThrow(
      /^The plugin db did not start: \{"name":"ErrnoError","errno":20\}$/,
    );
  });

  it('give up a start that hangs, abort its signal, and close what it opens after all', async () => {
    const seen: string[] = [];
    const late = defer();
    let aborted: unknown;
    const server = createServer({
      plugins: [
        noting('db', seen),
        noting('slow', seen, {
          startTimeoutMs: 20,
          start: ({ signal }) => {
            signal.addEventListener('abort', () => {
              aborted = signal.reason;
            });
            return late.promise;
          },
        }),
      ],
      logger: recordLog(),
    });
    const text = 'The plugin slow did not start within 20 ms.';
    await expect(server.start()).rejects.toThrow(text);
    expect(aborted).toMatchObject({ message: text });
    expect(seen).toEqual(['db starts', 'db stops']);
    late.resolve();
    await expect.poll(() => seen.at(-1)).toBe('slow stops');
  });

  it('start again after a stop', async () => {
    const seen: string[] = [];
    const server = createServer({ plugins: [noting('db', seen)], logger: recordLog() });
    await server.start();
    await server.stop();
    await server.start();
    await server.stop();
    expect(seen).toEqual(['db starts', 'db stops', 'db starts', 'db stops']);
  });

  it('stop the plugins of a server of jobs alone once its jobs have ended', async () => {
    const seen: string[] = [];
    const [begun, end] = [defer(), defer()];
    const send = capability(async () => {
      begun.resolve();
      await end.promise;
      seen.push('job done');
    });
    const jobs = queueTransport({ capabilities: { mails: { send } } });
    const server = createServer({
      plugins: [noting('db', seen)],
      transports: [jobs],
      logger: recordLog(),
    });
    await server.start();
    await jobs.enqueue('mails.send', {});
    await begun.promise;
    const stopped = server.stop();
    end.resolve();
    await stopped;
    expect(seen).toEqual(['db starts', 'job done', 'db stops']);
  });
});

const listItems = capability(() => ['pen']);

describe.each(['fetch', 'node'])('a handler of %s', (kind) => {
  async function mount(plugins: readonly Plugin[]) {
    const log = recordLog();
    const server = createServer({ capabilities: { items: { listItems } }, plugins, logger: log });
    if (kind === 'fetch') {
      const answer = toFetchHandler(server);
      return { server, log, ask: () => answer(new Request('http://localhost/items')) };
    }
    const url = await listen(createHttpServer(toNodeHandler(server)));
    return { server, log, ask: () => fetch(`${url}/items`) };
  }

  it('starts the plugins before its first call, once, and not before', async () => {
    const seen: string[] = [];
    const started = defer();
    const { server, ask } = await mount([
      noting('db', seen, {
        start: () => {
          seen.push('db starts');
          return started.promise;
        },
      }),
    ]);
    expect(seen).toEqual([]);
    let answered = 0;
    const answers = [ask(), ask(), ask()].map(async (answer) => {
      const { status } = await answer;
      answered++;
      return status;
    });
    await expect.poll(() => seen).toEqual(['db starts']);
    expect(answered).toBe(0);
    started.resolve();
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
    await server.stop();
    expect(seen).toEqual(['db starts', 'db stops']);
  });

  it('answers 503 where one does not start, logs why, and tries again with the next call', async () => {
    const seen: string[] = [];
    let isAway = true;
    const { log, ask } = await mount([
      noting('db', seen),
      noting('bus', seen, {
        start: () => {
          if (isAway) throw new Error('postgres://admin:secret@db is away');
          seen.push('bus starts');
        },
      }),
    ]);
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(await refused.text()).not.toContain('secret');
    expect(log.errors.map(({ message }) => message)).toEqual([
      '[capix] The plugin bus did not start: postgres://admin:secret@db is away',
    ]);
    isAway = false;
    expect((await ask()).status).toBe(200);
    expect(seen).toEqual(['db starts', 'db stops', 'db starts', 'bus starts']);
  });

  it('serves nothing after stop()', async () => {
    const seen: string[] = [];
    const { server, ask } = await mount([noting('db', seen)]);
    expect((await ask()).status).toBe(200);
    await server.stop();
    expect((await ask()).status).toBe(503);
    expect(seen).toEqual(['db starts', 'db stops']);
  });

  it('is ready before its first call where start() was called', async () => {
    const seen: string[] = [];
    const { server, ask } = await mount([noting('db', seen)]);
    await server.start();
    expect(seen).toEqual(['db starts']);
    expect((await ask()).status).toBe(200);
    expect(seen).toEqual(['db starts']);
  });
});

it('does not start plugins for what the host answers itself', async () => {
  const seen: string[] = [];
  const server = createServer({
    capabilities: { items: { listItems } },
    plugins: [noting('db', seen)],
    logger: recordLog(),
  });
  const handle = toNodeHandler(server);
  const url = await listen(
    createHttpServer((request, response) =>
      handle(request, response, () => void response.end('own')),
    ),
  );
  expect(await (await fetch(`${url}/own`)).text()).toBe('own');
  expect(seen).toEqual([]);
});

it('starts the plugins of a call by invoke before start(), and refuses it after stop()', async () => {
  const seen: string[] = [];
  const server = createServer({
    capabilities: { items: { listItems } },
    plugins: [noting('db', seen)],
    logger: recordLog(),
  });
  expect(await server.invoke({ capability: 'items.listItems' })).toEqual(['pen']);
  await server.stop();
  await expect(server.invoke({ capability: 'items.listItems' })).rejects.toMatchObject({
    status: 503,
  });
  expect(seen).toEqual(['db starts', 'db stops']);
});

describe('a call by a plugin while it starts', () => {
  const message =
    'The plugin seed calls a capability while it starts, and no call runs before all plugins have started. ' +
    'Make the call after `await server.start()`, or do not await it in `start`.';

  it('is refused with what to write where the start waits for it', async () => {
    const seen: string[] = [];
    const server: Server = createServer({
      capabilities: { items: { listItems } },
      plugins: [
        noting('db', seen),
        noting('seed', seen, { start: () => server.invoke({ capability: 'items.listItems' }) }),
      ],
      transports: [restTransport({ port: 0, host: '127.0.0.1' })],
      logger: recordLog(),
    });
    await expect(server.start()).rejects.toThrow(`The plugin seed did not start: ${message}`);
    expect(seen).toEqual(['db starts', 'db stops']);
  });

  it('is 503 where it comes by a handler of requests', async () => {
    const statuses: number[] = [];
    const server: Server = createServer({
      capabilities: { items: { listItems } },
      plugins: [
        definePlugin({
          start: async () => void statuses.push((await handle(request())).status),
        }),
      ],
      logger: recordLog(),
    });
    const handle = toFetchHandler(server);
    const request = () => new Request('http://localhost/items');
    statuses.push((await handle(request())).status);
    expect(statuses).toEqual([503, 200]);
    await server.stop();
  });

  it('runs once all have started where the start does not wait for it', async () => {
    const seen: string[] = [];
    let called: Promise<unknown> = Promise.resolve();
    const server: Server = createServer({
      capabilities: {
        items: { listItems: capability(() => void seen.push('listItems')).output(noContent) },
      },
      plugins: [
        noting('consumer', seen, {
          start: async () => {
            called = server.invoke({ capability: 'items.listItems' });
            await new Promise(setImmediate);
          },
        }),
        noting('db', seen),
      ],
      logger: recordLog(),
    });
    await server.start();
    await called;
    expect(seen).toEqual(['db starts', 'listItems']);
    await server.stop();
  });
});

it.each([true, false])('belongs to a test server, with listen: %s', async (isListening) => {
  const seen: string[] = [];
  const api = await testServer({
    capabilities: { items: { listItems } },
    plugins: [noting('db', seen)],
    listen: isListening,
  });
  expect(seen).toEqual(['db starts']);
  expect((await api.fetch('/items')).status).toBe(200);
  await api.stop();
  expect(seen).toEqual(['db starts', 'db stops']);
  await expect(
    testServer({ plugins: [noting('bus', [], failing)], listen: isListening }),
  ).rejects.toThrow('The plugin bus did not start: ECONNREFUSED');
});

it('refuses a time to start that is none', () => {
  expect(() => definePlugin({ startTimeoutMs: 0 })).toThrow('definePlugin startTimeoutMs');
});
