import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type App,
  bareEnvelope,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineEnvelope,
  type Transport,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { describeThroughEveryDoor, itOverHttp } from '../../helpers/every-door.ts';
import { describeEverywhere, recordLog } from '../../helpers/start-rest.ts';

/** Rejections that nobody handles, which would end the process of a server. */
function watchRejections(): readonly unknown[] {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return rejections;
}

/** Each request holds a connection whose pool is closed by the time that it is given back. */
const context = defineContext(({ resources }) => {
  resources.defer(() => {
    throw new Error('The pool is closed.');
  });
  return {};
});

const a = {
  streamEndlessly: capability(async function* (_input, { signal }) {
    yield 'x'.repeat(2000);
    await new Promise((_, reject) => signal.addEventListener('abort', reject));
  }, 'query').route('GET', '/endless'),
  streamShortly: capability(async function* () {
    yield 1;
  }, 'query').route('GET', '/short'),
  streamLate: capability(async (_input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return (async function* () {
      yield 1;
    })();
  }, 'query')
    .enhance(withTimeout(20))
    .route('GET', '/late'),
  getFailure: capability(() => {
    throw defaultErrors.Conflict();
  }).route('GET', '/failure'),
};

describeThroughEveryDoor(
  'a resource that cannot be released is logged, and ends nothing else',
  (start) => {
    const expectLine = async (path: string, key: string, init: RequestInit): Promise<void> => {
      const rejections = watchRejections();
      const { request, log } = await start({ context, capabilities: { a } });
      const response = await request(path, init);
      await response.text();
      await expect
        .poll(() => log.errors)
        .toEqual([
          {
            message: expect.stringMatching(`(${path}|${key}) could not release what it held`),
            error: new Error('The pool is closed.'),
            requestId: response.headers.get('x-request-id') ?? expect.any(String),
          },
        ]);
      expect(rejections).toEqual([]);
    };
    itOverHttp.each<[string, string, string, RequestInit]>([
      ['for a HEAD of a stream', '/short', 'a.streamShortly', { method: 'HEAD' }],
    ])('%s', (_name, path, key, init) => expectLine(path, key, init));
    it.each<[string, string, string, RequestInit]>([
      ['for a stream that comes after its time', '/late', 'a.streamLate', {}],
      ['for a call that fails', '/failure', 'a.getFailure', {}],
    ])('%s', (_name, path, key, init) => expectLine(path, key, init));

    it('for a stream whose caller leaves', async () => {
      const rejections = watchRejections();
      const { request, log } = await start({ context, capabilities: { a } });
      const leave = new AbortController();
      const response = await request('/endless', { signal: leave.signal });
      await response.body?.getReader().read();
      leave.abort();
      await expect
        .poll(() => log.errors.map(({ error }) => error))
        .toEqual([new Error('The pool is closed.')]);
      expect(rejections).toEqual([]);
    });
  },
);

describe('a resource that cannot be released is logged, and ends nothing else', () => {
  it('for a stream of invoke that its caller leaves', async () => {
    const rejections = watchRejections();
    const log = recordLog();
    const server = createServer({ context, capabilities: { a }, logger: log });
    const leave = new AbortController();
    const stream = await server.invoke({ capability: 'a.streamEndlessly', signal: leave.signal });
    await stream.next();
    leave.abort();
    await expect
      .poll(() => log.errors.map(({ error }) => error))
      .toEqual([new Error('The pool is closed.')]);
    expect(rejections).toEqual([]);
  });

  it('for a tool whose result is too long', async () => {
    const rejections = watchRejections();
    const log = recordLog();
    const transports = [mcpTransport({ port: 0, maxResultBytes: 1000 })];
    const server = createServer({ context, capabilities: { a }, transports, logger: log });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const client = await connectToUrl(started?.url ?? '');
    const result = await client.callTool({ name: 'a_streamEndlessly' });
    expect(result.isError).toBe(true);
    await expect
      .poll(() => log.errors.map(({ error }) => error))
      .toEqual([new Error('The pool is closed.')]);
    expect(rejections).toEqual([]);
  });
});

const cycle: Record<string, unknown> = {};
cycle['itself'] = cycle;

describeThroughEveryDoor('a stream that fails with what JSON cannot hold', (start) => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'a number that is none',
      { at: Number.NaN },
      '{"error":"Conflict","message":"no","meta":{"at":null}}',
    ],
    ['a cycle', cycle, '{"error":"Conflict","message":"no"}'],
    ['a map', { at: new Map() }, '{"error":"Conflict","message":"no","meta":{"at":{}}}'],
  ])('ends with its error all the same: %s', async (_name, meta, last) => {
    const rejections = watchRejections();
    const stream = capability(async function* () {
      yield 1;
      throw defaultErrors.Conflict('no', meta);
    }, 'query').route('GET', '/stream');
    const { request } = await start({ capabilities: { a: { stream } } });
    expect(await (await request('/stream')).text()).toBe(
      `data: 1\n\nevent: error\ndata: ${last}\n\n`,
    );
    expect(rejections).toEqual([]);
  });

  itOverHttp('ends with its error where the envelope throws', async () => {
    const rejections = watchRejections();
    const stream = capability(async function* () {
      yield 1;
      throw defaultErrors.Conflict('no');
    }, 'query').route('GET', '/stream');
    const envelope = defineEnvelope({
      failure: () => {
        throw new Error('The envelope failed.');
      },
      failureSchema: {},
    });
    const { request, log } = await start({ capabilities: { a: { stream } }, rest: { envelope } });
    expect(await (await request('/stream')).text()).toBe(
      'data: 1\n\nevent: error\ndata: {"error":"Conflict","message":"no"}\n\n',
    );
    expect(log.errors).toMatchObject([
      {
        message: expect.stringContaining('The envelope threw for Conflict'),
        error: new Error('The envelope failed.'),
      },
    ]);
    expect(rejections).toEqual([]);
  });
});

describe('an envelope', () => {
  it('is refused where its type of refusals is no media type', () => {
    expect(() => defineEnvelope({ failureType: 'application/problem–json' })).toThrow(
      'defineEnvelope failureType: expected a media type such as \'application/problem+json\', got "application/problem–json".',
    );
    expect(() => defineEnvelope({ failureType: 'text/plain; charset=utf-8' })).not.toThrow();
  });
});

describeEverywhere('headers that cannot be sent', (start) => {
  it('are logged, and the request is answered with 500', async () => {
    // As a copy of an envelope, or another version of this package, may have one.
    const envelope = { ...bareEnvelope, failureType: 'application/problem–json' };
    const { request, log } = await start({ capabilities: { a }, rest: { envelope } });
    const response = await request('/nowhere');
    expect(await response.json()).toEqual({ error: 'Internal', message: 'Internal server error' });
    expect([response.status, log.errors.map(({ message }) => message)]).toEqual([
      500,
      ['[capix] GET /nowhere could not be answered with its own headers'],
    ]);
  });
});

describe("a transport of one's own", () => {
  async function serve() {
    const log = recordLog();
    let app: App | undefined;
    const own: Transport = {
      name: 'own',
      start: async (given) => {
        app = given;
        return { routes: [] };
      },
      stop: async () => {},
    };
    const db = new Error('db');
    const capabilities = {
      b: {
        getRow: capability(() => {
          throw db;
        }),
        streamRows: capability(async function* () {
          yield 1;
          throw db;
        }),
        getNothing: capability(() => {
          throw defaultErrors.NotFound();
        }),
      },
    };
    const server = createServer({ capabilities, transports: [own], logger: log });
    await server.start();
    return { app: app as unknown as App, log, db };
  }

  it('has unforeseen failures of its calls in the log, and no others', async () => {
    const { app, log, db } = await serve();
    const outcome = await app.call({ capability: 'b.getRow', headers: { 'x-request-id': 'r1' } });
    expect(outcome).toMatchObject({ ok: false, failure: { status: 500 } });
    await app.call({ capability: 'b.getNothing' });
    expect(log.errors).toEqual([
      { message: '[capix] b.getRow failed', error: db, requestId: 'r1' },
    ]);
  });

  it('has the failure of a stream that it has begun in the log', async () => {
    const { app, log, db } = await serve();
    const outcome = await app.call({
      capability: 'b.streamRows',
      headers: { 'x-request-id': 'r2' },
    });
    const items = (outcome.ok ? outcome.value : []) as AsyncIterable<unknown>;
    const read = async (): Promise<void> => {
      for await (const item of items) expect(item).toBe(1);
    };
    await expect(read()).rejects.toBe(db);
    expect(log.errors).toEqual([
      { message: '[capix] b.streamRows failed', error: db, requestId: 'r2' },
    ]);
  });
});

it('of several resources that cannot be released, the log has each', async () => {
  const log = recordLog();
  const faults = [new Error('The pool is closed.'), new Error('The lock is lost.')];
  const holding = defineContext(({ resources }) => {
    for (const fault of faults)
      resources.defer(() => {
        throw fault;
      });
    return {};
  });
  const fail = capability(() => {
    throw defaultErrors.Conflict();
  });
  const server = createServer({ context: holding, capabilities: { items: { fail } }, logger: log });
  await expect(server.invoke({ capability: 'items.fail' })).rejects.toThrow('Conflict');
  expect(log.errors).toHaveLength(1);
  expect(log.errors[0]?.error).toMatchObject({ errors: faults.toReversed() });
});
