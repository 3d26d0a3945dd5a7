import type { BaseContext } from '../capability/context.ts';
import type { GroupTree, KeyOf } from '../capability/group-tree.ts';
import type { Used } from '../capability/used.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import type { RestOptions } from '../rest/rest-options.ts';
import { restTransport } from '../rest/rest-transport.ts';
import { toFetchHandler } from '../rest/to-handlers.ts';
import { serverOptionNames } from '../server/create-application.ts';
import { createServer, type Server, type ServerOptions } from '../server/create-server.ts';
import { jobSinks } from '../server/job.ts';
import { consoleLogger, type Logger, silentLogger } from '../server/logger.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';
import type { ServerChecks, WithPlugins } from '../server/server-checks.ts';
import { internalsOf } from '../server/server-internals.ts';
import { createTestJobs, type TestJobs } from './test-jobs.ts';

/** The options of a test server: a server's options, and how it is reached. */
export interface TestServerOptions<
  Tree extends GroupTree = GroupTree,
  // oxlint-disable-next-line typescript/no-explicit-any -- a context of any shape
  Ctx extends object = any,
  Plugins extends readonly Plugin[] = readonly Plugin[],
  These extends Used = Used,
> extends Omit<ServerOptions<Tree, Ctx, Plugins, These>, 'transports'> {
  /** As given to `restTransport`: `urlCase`, `overrides`, `cors`. The port is always a free one of this machine. */
  readonly rest?: Omit<RestOptions<KeyOf<WithPlugins<NoInfer<Tree>, NoInfer<Plugins>>>>, 'port' | 'host'> | undefined;
  /** Whether it listens on a socket; without one, `fetch` answers in memory and nothing listens. @default true */
  readonly listen?: boolean | undefined;
  /**
   * The jobs that calls of this server enqueue are collected, or also run in this process, one after another, each
   * attempt at once. None reaches its queue. @default 'collect'
   */
  readonly jobs?: 'collect' | 'run' | undefined;
  /** The logger that the framework writes to. @default warnings and errors on stderr */
  readonly logger?: Logger | undefined;
}

/** A server under test. `Tree` are the capabilities that `invoke` knows by their keys. */
// oxlint-disable-next-line typescript/no-explicit-any -- every server is one of whatever capabilities
export interface TestServer<Tree extends GroupTree = any> extends Pick<Server<Tree>, 'invoke'> {
  /** The server itself. */
  readonly server: Server<Tree>;
  /** `http://127.0.0.1:49152`, without a slash at its end; `http://localhost` in memory. */
  readonly url: string;
  /** Asks the server: `fetch('/users/1')`. What is given as `json` is the JSON body, by default with POST. */
  readonly fetch: (path: string, init?: RequestInit & { readonly json?: unknown }) => Promise<Response>;
  /** The jobs that calls of this server have enqueued. */
  readonly jobs: TestJobs;
  /** Stops the server. */
  readonly stop: () => Promise<void>;
  /** `await using api = await testServer({…})` stops it at the end of the block. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts an application for a test, over a real socket on a free port or in memory. Stop it when the test is over.
 * Rejects as `server.start()` does.
 */
export async function testServer<
  Tree extends GroupTree = Record<never, never>,
  Ctx extends object = BaseContext,
  const Plugins extends readonly Plugin[] = [],
  const These extends Used = [],
>(
  options: TestServerOptions<Tree, Ctx, Plugins, These> &
    ServerChecks<NoInfer<Tree>, NoInfer<Ctx>, NoInfer<Plugins>, NoInfer<These>>,
): Promise<TestServer<WithPlugins<Tree, Plugins>>>;
export async function testServer(given: TestServerOptions): Promise<TestServer> {
  const { transports: _, ...names } = serverOptionNames;
  expectKnownOptions('testServer', given, { ...names, rest: true, listen: true, jobs: true });
  const { rest = {}, listen = true, jobs: mode = 'collect', plugins = [], ...options } = given;
  if (mode !== 'collect' && mode !== 'run') throw new TypeError("testServer jobs: expected 'collect' or 'run'.");
  const { sink, ...jobs } = createTestJobs(
    mode === 'run' ? ({ capabilities }) => internalsOf(server).appFor(capabilities) : undefined,
  );
  const taking = definePlugin({
    name: 'testServer',
    observe: ({ kind }) =>
      kind === 'call' ? (run, request) => (request !== undefined && jobSinks.set(request, sink), run()) : undefined,
  });
  const server: Server = createServer({
    logger: { ...silentLogger, warn: consoleLogger.warn, error: consoleLogger.error },
    ...options,
    plugins: [...plugins, taking],
    transports: [restTransport({ ...rest, port: 0, host: '127.0.0.1' })],
  });
  const [{ url = 'http://localhost' } = {}] = listen ? await server.start() : [];
  const send = listen ? fetch : toFetchHandler(server);
  const ask: TestServer['fetch'] = (path, { json, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const more = json === undefined ? init : { method: 'POST', ...init, headers, body: JSON.stringify(json) };
    return send(new Request(new URL(path, `${url}/`), more));
  };
  const stop = (): Promise<void> => server.stop();
  return { server, url, fetch: ask, invoke: server.invoke, jobs, stop, [Symbol.asyncDispose]: stop };
}

/**
 * A context for `capability.resolve(input, mockContext({user}))`: `{requestId: 'test', signal}` with what is given. The
 * signal never fires, unless another is given.
 */
export function mockContext(): BaseContext;
/** The same with what is given. */
export function mockContext<Given extends object>(given: Given): BaseContext & Given;
export function mockContext(given?: object): BaseContext {
  return { requestId: 'test', signal: new AbortController().signal, ...given };
}
