import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import {
  capability,
  consoleLogger,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  type Logger,
} from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import { type StartRestOptions } from '../../helpers/start-rest.ts';

const trap = (): never => {
  throw new Error('hidden');
};
const withGetter = (error: Error, name: string): Error =>
  Object.defineProperty(error, name, { get: trap });

class OwnInspect extends Error {
  readonly query: { readonly text: string } | undefined;
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.query!.text;
  }
}

/** What code may throw that cannot be printed, or cannot be read. */
const values: readonly (readonly [string, () => unknown])[] = [
  ['an error whose own inspect throws', () => new OwnInspect('hidden')],
  ['an error whose stack throws', () => withGetter(new Error('hidden'), 'stack')],
  [
    'an error of which nothing can be read',
    () => ['stack', 'message', 'name'].reduce(withGetter, new Error('hidden')),
  ],
  [
    'an error whose cause cannot be printed',
    () => new Error('hidden', { cause: new OwnInspect('hidden') }),
  ],
  [
    'a proxy that says yes to everything',
    () => new Proxy({}, { has: () => true, get: trap, getPrototypeOf: trap }),
  ],
  [
    'an error of the framework whose meta throws',
    () => withGetter(defaultErrors.NotFound({}), 'meta'),
  ],
  [
    'one whose meta throws inside',
    () => defaultErrors.NotFound(withGetter(new Error(), 'retryAfterSeconds') as never),
  ],
  [
    'one whose status was taken away',
    () => Object.assign(defaultErrors.NotFound(), { status: 'hidden' }),
  ],
  ['one whose status is no error', () => Object.assign(defaultErrors.NotFound(), { status: 200 })],
  ['one whose message is no text', () => Object.assign(defaultErrors.NotFound(), { message: 10n })],
];

const places: readonly (readonly [string, (boom: () => never) => StartRestOptions])[] = [
  ['a handler at once', (boom) => of(capability(boom))],
  [
    'a handler later',
    (boom) =>
      of(
        capability(async () => {
          await Promise.resolve();
          boom();
        }),
      ),
  ],
  ['a guard', (boom) => of(capability(() => 1).guard(defineGuard(boom)))],
  [
    'a context later',
    (boom) => ({ ...of(capability(() => 1)), context: defineContext(async () => boom()) }),
  ],
];

function of(getJob: object): StartRestOptions {
  return { capabilities: { jobs: { getJob } as never }, logger: consoleLogger };
}

let written: MockInstance;
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  written = vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describeThroughEveryDoor('an error that cannot be printed', (start) => {
  it.each(places)(
    'is 500, tells nothing and is a line in the log, thrown by %s',
    async (_place, toOptions) => {
      let toThrown = (): unknown => undefined;
      const { request } = await start(
        toOptions(() => {
          throw toThrown();
        }),
      );
      for (const [at, [name, toValue]] of values.entries()) {
        toThrown = toValue;
        const response = await request('/jobs');
        expect([name, response.status, await response.text()]).toEqual([
          name,
          500,
          '{"error":"Internal","message":"Internal server error"}',
        ]);
        expect([name, written.mock.calls.length, written.mock.lastCall]).toEqual([
          name,
          at + 1,
          [expect.stringMatching(/^\[capix\] (GET \/jobs|WS jobs.getJob) failed \(request .+\) ./)],
        ]);
      }
    },
  );

  it('is the last line of a stream that has begun', async () => {
    const getJobs = capability(async function* () {
      yield 1;
      throw new OwnInspect('hidden');
    });
    const { request } = await start(of(getJobs));
    expect(await (await request('/jobs')).text()).toBe(
      'data: 1\n\nevent: error\ndata: {"error":"Internal","message":"Internal server error"}\n\n',
    );
    expect(written).toHaveBeenCalledOnce();
  });
});

describe('an error that cannot be printed, elsewhere', () => {
  const throwing = (toThrown: () => unknown) => ({
    jobs: {
      getJob: capability(async () => {
        throw toThrown();
      }),
    },
  });

  it.each(values)('tells an agent nothing: %s', async (_name, toThrown) => {
    const client = await connectToTools({
      capabilities: throwing(toThrown),
      logger: consoleLogger,
    });
    expect(await client.callTool({ name: 'jobs_getJob', arguments: {} })).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'Internal (500): Internal server error\nThe cause is in the log of the server.',
        },
      ],
    });
    expect(written.mock.lastCall).toEqual([
      expect.stringMatching(/^\[capix\] jobs.getJob failed ./),
    ]);
  });

  it.each(values)('rejects invoke: %s', async (_name, toThrown) => {
    const server = createServer({ capabilities: throwing(toThrown) });
    const outcome = server.invoke({ capability: 'jobs.getJob' }).then(
      () => 'answered',
      () => 'rejected',
    );
    expect(await outcome).toBe('rejected');
  });

  it('tells an agent of an error without the meta that JSON cannot hold', async () => {
    const version: Record<string, unknown> = {};
    version['again'] = version;
    const capabilities = throwing(() => defaultErrors.Conflict('Taken', { version }));
    const client = await connectToTools({ capabilities, logger: consoleLogger });
    expect(await client.callTool({ name: 'jobs_getJob', arguments: {} })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Conflict (409): Taken' }],
    });
    expect(written.mock.lastCall?.[0]).toMatch(
      /^\[capix\] The meta of Conflict cannot be written as JSON/,
    );
  });
});

describe('the log of an error that cannot be printed', () => {
  it('has what can be read of it', () => {
    consoleLogger.error('It failed.', { error: new OwnInspect('told') });
    expect(written.mock.lastCall).toEqual([
      'It failed. Error: told (the rest of it could not be printed)',
    ]);
    // On Node 24 only an `inspect` of its own keeps an error from being printed.
    consoleLogger.error('It failed.', {
      error: Object.assign(new OwnInspect('told'), { name: 'RangeError' }),
    });
    expect(written.mock.lastCall).toEqual([
      'It failed. RangeError: told (the rest of it could not be printed)',
    ]);
    consoleLogger.error('It failed.', {
      error: withGetter(withGetter(new OwnInspect(''), 'stack'), 'message'),
    });
    expect(written.mock.lastCall).toEqual([
      'It failed. Error: It cannot be printed. (the rest of it could not be printed)',
    ]);
  });

  it('is on stderr where the logger of the application fails, at once or later', async () => {
    for (const error of [trap, async () => trap()]) {
      const logger = { info: () => {}, warn: () => {}, error: error as Logger['error'] };
      const server = createServer({
        logger,
        capabilities: { jobs: { getJob: capability(() => 1) } },
        hooks: { onRequest: trap },
      });
      written.mockClear();
      expect(await server.invoke({ capability: 'jobs.getJob' })).toBe(1);
      await expect.poll(() => written).toHaveBeenCalledTimes(2);
      expect(written.mock.lastCall?.[0]).toMatch(/^\[capix\] The logger failed\. Error: hidden/);
    }
  });
});
