import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type App,
  afterSuccess,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  type Hooks,
  reply,
  restTransport,
  silentLogger,
  type Transport,
  toFetchHandler,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';
import { openTalk } from '../../helpers/start-web-sockets.ts';

type Handler = (input: object, ctx: object) => unknown;
type Sent = { readonly status: number; readonly text: string };

/** The caller's status, where the door has one, and all that it reads. */
const doors = {
  rest: async ({ rest }: Opened) => toSent(await fetch(`${rest}/a/run`, { method: 'POST' })),
  fetch: async ({ server }: Opened) =>
    toSent(await toFetchHandler(server)(new Request('http://x/a/run', { method: 'POST' }))),
  mcp: async ({ mcp }: Opened) => {
    const params = { name: 'a_run', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const accept = 'application/json, text/event-stream';
    const headers = { 'content-type': 'application/json', accept };
    return toSent(await fetch(`${mcp}`, { method: 'POST', headers, body }));
  },
  websocket: async ({ rest = '' }: Opened) => {
    const talk = await openTalk(rest.replace('http', 'ws'));
    const { status = 200, error, ...message } = await talk.ask('a.run');
    return { status: error?.data.status ?? status, text: JSON.stringify({ error, ...message }) };
  },
  job: async ({ jobs, answering }: Opened) => {
    await jobs.enqueue('a.run', {} as never);
    await answering.promise;
    return undefined;
  },
  invoke: async ({ server }: Opened) => {
    await server.invoke({ capability: 'a.run' } as never).catch(() => {});
    return undefined;
  },
  'a transport of its own': async ({ app }: Opened) => {
    const { status } = await app.call({ capability: 'a.run' });
    return { status, text: '' };
  },
  answer: async ({ app }: Opened) => {
    const messages: unknown[] = [];
    await app.answer({ capability: 'a.run' }, (message) => void messages.push(message));
    return { status: 0, text: JSON.stringify(messages) };
  },
} satisfies Record<string, (opened: Opened) => Promise<Sent | undefined>>;

type Settle = (value: unknown) => void;

/** What `await` takes for a promise. Some builders of queries are such objects. */
function toThenable(then: (resolve: Settle, reject: Settle) => void): unknown {
  return Object.fromEntries(['then'].map((name) => [name, then]));
}

type Opened = Awaited<ReturnType<typeof open>>;

async function toSent(response: Response): Promise<Sent> {
  return { status: response.status, text: await response.text() };
}

let rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => {
  rejections = [];
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

async function open(handler: Handler) {
  const log = recordLog();
  const answered: number[] = [];
  const answering = defer();
  const onResponse: Hooks['onResponse'] = ({ status }) => {
    // The request for a connection, over which calls come.
    if (status === 101) return;
    answered.push(status);
    answering.resolve();
  };
  const capabilities = {
    a: { run: capability(handler as () => unknown).enhance(withTimeout(5000)) },
  };
  const jobs = queueTransport({ capabilities, jobs: { 'a.run': { attempts: 1 } } });
  let app: App | undefined;
  const own: Transport = {
    name: 'own',
    start: async (given) => {
      app = given;
      return {};
    },
    stop: async () => {},
  };
  const transports = [
    restTransport({ port: 0 }),
    webSocketTransport(),
    mcpTransport({ port: 0 }),
    jobs,
    own,
  ];
  const server = createServer({
    capabilities,
    hooks: { onResponse },
    transports,
    logger: log,
  } as never);
  const [rest, , mcp] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return {
    server,
    rest: rest?.url,
    mcp: mcp?.url,
    jobs,
    app: app as unknown as App,
    log,
    answered,
    answering,
  };
}

/** Headers that no type admits, and that code without types, or a cast, makes all the same. */
const wrongHeaders: Readonly<Record<string, object>> = {
  'a number': { 'retry-after': 5 },
  nothing: { etag: undefined },
  'a list with a number': { 'set-cookie': ['a=1', 2] },
  'a getter that throws': {
    get secret() {
      throw new Error('The getter of a secret.');
    },
  },
};
const throwWith = (headers: object) => () => {
  throw defaultErrors.Conflict('no', undefined, { headers: headers as never });
};
const throwLater = (headers: object) => async () => {
  throw Object.assign(defaultErrors.Conflict('no'), { headers });
};
// Node sends a number of a list as its text.
const wrongOnes = Object.entries(wrongHeaders)
  .flatMap(([name, headers]) => [
    [`an error with ${name}`, throwWith(headers)] as const,
    [`an error that gets ${name} later`, throwLater(headers)] as const,
    [`a reply with ${name}`, () => reply(1, { headers: headers as never })] as const,
    [`a reply that gets ${name} later`, async () => ({ ...reply(1), headers })] as const,
  ])
  .filter(([name]) => name !== 'a reply that gets a list with a number later');

describe.each(Object.entries(doors))('over %s', (door, call) => {
  it.each(wrongOnes)(
    'headers that are none end the call once, with 500: %s',
    async (_name, run) => {
      const opened = await open(run);
      const sent = await call(opened);
      expect(opened.answered).toEqual([500]);
      if (sent !== undefined && door !== 'mcp' && door !== 'answer') expect(sent.status).toBe(500);
      if (door !== 'invoke') await expect.poll(() => opened.log.errors).toHaveLength(1);
      expect(`${sent?.text}`).not.toMatch(/secret| at /);
      expect(rejections).toEqual([]);
    },
  );

  it('what fails when its meta is read has a message that says nothing of it', async () => {
    const meta = {
      get secret() {
        throw new Error('The getter of a secret.');
      },
    };
    const opened = await open(async () => {
      throw defaultErrors.Conflict('no', meta);
    });
    const sent = await call(opened);
    expect(opened.answered).toEqual([409]);
    expect(sent?.text ?? '').not.toMatch(/secret/);
    const requestId: unknown = expect.any(String);
    const isSaid = door === 'job' || door === 'invoke' || door === 'a transport of its own';
    if (!isSaid) expect(opened.log.errors).toMatchObject([{ requestId }]);
    expect(rejections).toEqual([]);
  });

  it('a thenable that gives its value later, and returns nothing, is waited for', async () => {
    let isThere = false;
    const run = () =>
      toThenable((resolve) => {
        setImmediate(() => {
          isThere = true;
          resolve('the row');
        });
      });
    const opened = await open(run);
    const sent = await call(opened);
    expect([isThere, opened.answered]).toEqual([true, [200]]);
    if (sent !== undefined && door !== 'a transport of its own')
      expect(sent.text).toContain('the row');
  });
});

it('a guard that refuses by such a thenable lets nobody pass', async () => {
  const refuse = defineGuard((() =>
    toThenable((_resolve, reject) => {
      setImmediate(() => reject(defaultErrors.Forbidden()));
    })) as () => void);
  const server = createServer({
    capabilities: { a: { run: capability(() => 'passed').guard(refuse) } },
    logger: silentLogger,
  });
  await expect(server.invoke({ capability: 'a.run' })).rejects.toThrow('Forbidden');
});

it('a job is given up once where the issues of its error have no text', async () => {
  const { jobs, log, answered } = await open(async () => {
    throw defaultErrors.BadRequest('no', { issues: [Object.create(null)] });
  });
  await jobs.enqueue('a.run', {} as never);
  await expect
    .poll(() => log.errors.map(({ message }) => message))
    .toEqual([expect.stringMatching(/was given up at attempt 1 of 1: BadRequest \(400\): no$/)]);
  expect([answered, rejections]).toEqual([[400], []]);
});

it('an agent reads a fact of the application that is named `fields`', async () => {
  const opened = await open(async () => {
    throw defaultErrors.Conflict('Taken', { fields: ['email'] });
  });
  const { text } = await doors.mcp(opened);
  expect(text).toContain('Conflict (409): Taken');
  expect(text).toContain('fields');
});

it('work after the success that fails when the caller has the answer is in the log, with its call', async () => {
  const isAnswered = defer();
  const fault = new Error('The mail server is away.');
  const opened = await open((_input, ctx) => {
    void isAnswered.promise.then(() =>
      afterSuccess(ctx, () => {
        throw fault;
      }),
    );
    return 1;
  });
  await doors.rest(opened);
  isAnswered.resolve();
  await expect
    .poll(() => opened.log.errors)
    .toMatchObject([{ error: { cause: fault }, requestId: expect.any(String) }]);
});

it('bytes that another thread has taken are 500', async () => {
  const opened = await open(() => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  });
  expect(await doors.rest(opened)).toMatchObject({ status: 500 });
  expect(opened.answered).toEqual([500]);
});

describe('the messages of app.answer', () => {
  it('have big integers as texts, in data and in the meta of an error', async () => {
    const data = await open(() => ({ count: 10n ** 20n }));
    expect((await doors.answer(data)).text).toContain('"data":{"count":"100000000000000000000"}');
    const error = await open(async () => {
      throw defaultErrors.Conflict('no', { count: 1n });
    });
    expect((await doors.answer(error)).text).toContain('"meta":{"count":"1"}');
    expect([data.log.errors, error.log.errors]).toEqual([[], []]);
  });

  it('end with 503 where the server stops while a stream is sent', async () => {
    const { server, app } = await open(async function* () {
      for (;;) {
        yield 1;
        await new Promise(setImmediate);
      }
    });
    const messages: unknown[] = [];
    const isSending = defer();
    const answering = app.answer({ capability: 'a.run' }, (message) => {
      messages.push(message);
      isSending.resolve();
    });
    await isSending.promise;
    await Promise.all([server.stop({ graceMs: 0 }), app.drain({ graceMs: 0 })]);
    await answering;
    expect(messages.at(-1)).toMatchObject({ error: 'ServiceUnavailable' });
  });

  it('are none once the caller has left', async () => {
    const { app } = await open(() => 1);
    const send = vi.fn<() => void>();
    await app.answer({ capability: 'a.run', signal: AbortSignal.abort() }, send);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('a source that is left', () => {
  it('is ended once, and what fails then is logged once', async () => {
    let endings = 0;
    const late = new Error('It cannot be closed.');
    const opened = await open(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          throw new Error('It broke off.');
        },
        return: async () => {
          endings++;
          throw late;
        },
      }),
    }));
    await doors.rest(opened);
    await expect.poll(() => opened.log.errors).toHaveLength(2);
    expect(endings).toBe(1);
    expect(opened.log.errors.filter(({ error }) => error === late)).toHaveLength(1);
  });

  it('and never ends holds what its call has requested for ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isReleased = false;
    const context = defineContext(({ resources }) => {
      resources.defer(() => void (isReleased = true));
      return {};
    });
    const cycle: Record<string, unknown> = {};
    cycle['itself'] = cycle;
    const run = capability(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: cycle }),
        return: () => new Promise<never>(() => {}),
      }),
    }));
    const server = createServer({ context, capabilities: { a: { run } }, logger: silentLogger });
    const request = new Request('http://x/a/run', { method: 'POST' });
    expect(await toSent(await toFetchHandler(server)(request))).toMatchObject({ status: 500 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isReleased).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isReleased).toBe(true);
  });
});

it('a stream whose resource is never released ends with the time of its call', async () => {
  const context = defineContext(({ resources }) => {
    resources.defer(() => new Promise<never>(() => {}));
    return {};
  });
  const run = capability(async function* () {
    yield 1;
  }).enhance(withTimeout(30));
  const server = createServer({ context, capabilities: { a: { run } }, logger: silentLogger });
  const stream = await server.invoke({ capability: 'a.run' });
  expect(await stream.next()).toEqual({ done: false, value: 1 });
  await expect(stream.next()).rejects.toThrow('Timeout after 30 ms');
});
