import type { BaseContext } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo, KeyOf } from '../capability/group-tree.ts';
import type { SocketTransport } from '../client/call.ts';
import { webSocket } from '../client/web-socket.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { toError } from '../errors/failure.ts';
import { loadPackage } from '../errors/load-package.ts';
import type { GraphqlOptions } from '../graphql/execution/options.ts';
import { graphqlTransport } from '../graphql/index.ts';
import type { QueueTransport } from '../queue/index.ts';
import { isFinal, toText } from '../queue/job-runner.ts';
import { toJob } from '../queue/to-job.ts';
import { toFetchHandler } from '../rest/rest-handlers.ts';
import type { RestOptions } from '../rest/rest-options.ts';
import { restTransport } from '../rest/rest-transport.ts';
import type { Application } from '../server/application.ts';
import {
  createServer,
  internalsOf,
  type Server,
  type ServerOptions,
  sharedOptionNames,
} from '../server/create-server.ts';
import { invokeJob } from '../server/invoke-operation.ts';
import { createQueueDouble, findQueueInternals, type Job, type JobSink } from '../server/job.ts';
import { consoleLogger, type Logger, silentLogger } from '../server/logger.ts';
import type { AddedBy, Plugin, ServerChecks, Used, WithPlugins } from '../server/plugin.ts';
import { webSocketTransport } from '../websocket/index.ts';
import type { WebSocketOptions } from '../websocket/options.ts';
import { LastCall } from './last-call.ts';
import { withReplaced } from './replaced-context.ts';

/** The options of a test server: a server's options, and how it is reached. */
export interface TestServerOptions<
  Tree extends GroupTree = GroupTree,
  // oxlint-disable-next-line typescript/no-explicit-any -- a context of any shape
  Ctx extends object = any,
  Plugins extends readonly Plugin[] = readonly Plugin[],
  These extends Used = Used,
> extends Omit<ServerOptions<Tree, Ctx, Plugins, These>, 'transports'> {
  /** The options of `restTransport`: `urlCase`, `overrides`, `cors`. The port is always a free one of this machine. */
  readonly rest?:
    | Omit<RestOptions<KeyOf<WithPlugins<NoInfer<Tree>, NoInfer<Plugins>>>>, 'port' | 'host'>
    | undefined;
  /** Whether it takes WebSockets, or the options of `webSocketTransport`. Needs the package `ws`. @default false */
  readonly webSocket?: boolean | WebSocketOptions | undefined;
  /** Whether it takes GraphQL, or the options of `graphqlTransport`. Needs the package `graphql`. @default false */
  readonly graphql?: boolean | GraphqlOptions | undefined;
  /** Whether it listens on a socket; without one, `fetch` answers in memory and nothing listens. @default true */
  readonly listen?: boolean | undefined;
  /**
   * Fields of the context in place of those that the builder and the plugins give: `{ db: testDb }`, for each call. The
   * builder still runs.
   */
  readonly replace?:
    | Readonly<Partial<Omit<NoInfer<Ctx> & AddedBy<NoInfer<Plugins>>, keyof BaseContext>>>
    | undefined;
  /** None reaches its queue: `'run'` runs them here, one after another, each attempt at once. @default 'collect' */
  readonly jobs?: 'collect' | 'run' | undefined;
  /** @default warnings and errors on stderr */
  readonly logger?: Logger | undefined;
}

const testOptionNames: OptionNames<TestServerOptions> = {
  ...sharedOptionNames,
  rest: true,
  webSocket: true,
  graphql: true,
  listen: true,
  replace: true,
  jobs: true,
};

/** The answer to a document of GraphQL. */
export interface GraphqlResult {
  /** The fields of the document; undefined where it could not be run. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the document asks for
  readonly data?: any;
  /** Undefined where all went well. */
  readonly errors?: readonly {
    readonly message: string;
    /** The field that failed. */
    readonly path?: readonly (string | number)[];
    /** `code` is the name of the error of the capability, `status` that of REST, `meta` its facts. */
    readonly extensions: {
      readonly code: string;
      readonly status: number;
      readonly meta?: unknown;
    };
  }[];
}

/** A job that a call of a test server enqueued; without `delayMs`, it may run at once. */
type EnqueuedJob = Pick<Job, 'key' | 'input'> & Partial<Pick<Job, 'delayMs'>>;

/** A server under test. `Tree` are the capabilities that `invoke` knows by their keys. */
// oxlint-disable-next-line typescript/no-explicit-any -- every server is one of whatever capabilities
export interface TestServer<Tree extends GroupTree = any> extends Pick<Server<Tree>, 'invoke'> {
  /** The server itself. */
  readonly server: Server<Tree>;
  /** `http://127.0.0.1:49152`, without a slash at its end; `http://localhost` in memory. */
  readonly url: string;
  /** Sends a request to the server: `fetch('/users/1')`. `json` becomes the JSON body, by default with POST. */
  readonly fetch: (
    path: string,
    init?: RequestInit & { readonly json?: unknown },
  ) => Promise<Response>;
  /** A connection for one client, `createClient({ transport: api.webSocket() })`. `stop` closes it. */
  readonly webSocket: () => SocketTransport;
  /** Sends a document of GraphQL: `graphql('{ getUser(id: 1) { name } }')`. `init` may have the headers of a caller. */
  readonly graphql: (
    text: string,
    variables?: Readonly<Record<string, unknown>>,
    init?: RequestInit,
  ) => Promise<GraphqlResult>;
  /**
   * What the last call has waited for so far, with the calls that it made here: statements of databases, outgoing
   * requests, commands of Redis. Of several at the same time, it is the one that began last. Jobs are none.
   */
  readonly last: () => {
    readonly queries: number;
    /** Outgoing requests of HTTP. */
    readonly calls: number;
    /** Commands of Redis. */
    readonly commands: number;
    /** The text of each query. */
    readonly statements: readonly string[];
  };
  /** The jobs that calls of this server have enqueued. */
  readonly jobs: {
    /** All so far, in their order, `delayMs` of those that were to wait. Of two with one `jobId` there is the first. */
    readonly enqueued: readonly EnqueuedJob[];
    /**
     * Waits until every job has ended, and the jobs that they enqueue. Rejects with the first error that ended a job.
     */
    readonly idle: () => Promise<void>;
    /**
     * Runs a job of a queue once, as a worker does, in the context of this server: `run(jobs, 'mails.send', { to })`.
     * Rejects with the error of the job.
     */
    readonly run: <Own extends GroupTree, Key extends KeyOf<Own>>(
      queue: QueueTransport<Own>,
      key: Key,
      input: InputTo<CapabilityAt<Own, Key>>,
    ) => Promise<void>;
  };
  /** Stops the server. */
  readonly stop: () => Promise<void>;
  /** `await using api = await testServer({…})` stops it at the end of the block. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts a server for a test, on a free port or in memory. Stop it when the test is over. */
export async function testServer<
  Tree extends GroupTree = Record<never, never>,
  Ctx extends object = BaseContext,
  const Plugins extends readonly Plugin[] = [],
  const These extends Used = [],
>(
  options: TestServerOptions<Tree, Ctx, Plugins, These> &
    ServerChecks<NoInfer<Tree>, NoInfer<Ctx>, NoInfer<Plugins>, NoInfer<These>>,
): Promise<TestServer<WithPlugins<Tree, Plugins>>>;
export async function testServer(testOptions: TestServerOptions): Promise<TestServer> {
  expectKnownOptions('testServer', testOptions, testOptionNames);
  const {
    rest = {},
    listen = true,
    jobs: mode = 'collect',
    replace: replaced,
    ...others
  } = testOptions;
  const { webSocket: taken = false, graphql: queried, ...options } = others;
  const sockets = toSockets(taken);
  const queries = toQueries(queried);
  const appOf = (own: GroupTree): Application => internalsOf(server).appFor(own);
  const { sink, ...jobs } = createTestJobs(mode === 'run' ? appOf : undefined);
  const lastCall = new LastCall();
  const server: Server = createServer({
    logger: { ...consoleLogger, info: () => {} },
    ...withReplaced(options, replaced),
    transports: [
      restTransport({ ...rest, port: 0, host: '127.0.0.1' }),
      createQueueDouble(sink, lastCall.begin),
      ...sockets,
      ...queries.transports,
    ],
  });
  const [{ url = 'http://localhost' } = {}] = listen ? await server.start() : [];
  if (!listen) await appOf({}).lifecycle.start();
  const send = listen ? fetch : toFetchHandler(server);
  const ask: TestServer['fetch'] = (path, { json, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (json !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json');
    const more =
      json === undefined ? init : { method: 'POST', ...init, headers, body: JSON.stringify(json) };
    return send(new Request(new URL(path, `${url}/`), more));
  };
  const connections = await createConnections(sockets.length > 0 && listen, url);
  const stop = (): Promise<void> => {
    connections.close();
    return server.stop();
  };
  return {
    server,
    url,
    fetch: ask,
    invoke: server.invoke,
    webSocket: connections.open,
    graphql: queries.askBy(ask, rest),
    last: lastCall.read,
    jobs: {
      ...jobs,
      run: (queue, ...job) => runJob(appOf, toJob(...job), queue),
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Runs one attempt at a job. Rejects with its error. */
async function runJob(
  appOf: (capabilities: GroupTree) => Application,
  { key: capability, input, headers }: Job,
  queue: object,
): Promise<void> {
  const internals = findQueueInternals(queue);
  if (internals === undefined)
    throw new TypeError('jobs.run: expected what queueTransport(…) makes, then the key of a job.');
  const app = appOf(internals.capabilities);
  const outcome = await invokeJob(app, { capability, input, headers });
  if (!outcome.ok) throw toError(outcome.failure);
}

/** The transport of a server that takes WebSockets. */
function toSockets(taken: boolean | WebSocketOptions) {
  if (taken === false) return [];
  return [webSocketTransport(taken === true ? {} : taken)];
}

/** The transport of a server that takes GraphQL. */
function toQueries(taken: TestServerOptions['graphql'] = false) {
  const { path = '/graphql' } = Object(taken) as GraphqlOptions;
  const transports = taken === false ? [] : [graphqlTransport(taken === true ? {} : taken)];
  const askBy =
    (ask: TestServer['fetch'], { prefix = '' }: RestOptions): TestServer['graphql'] =>
    async (query, variables, init) => {
      if (taken === false)
        throw new TypeError(
          'The test server takes no GraphQL: testServer({ graphql: true }) does.',
        );
      const json = { query, variables };
      const response = await ask(prefix + path, { ...init, method: 'POST', json });
      return (await response.json()) as GraphqlResult;
    };
  return { transports, askBy };
}

async function createConnections(isServed: boolean, url: string) {
  const made: SocketTransport[] = [];
  const load = () => loadPackage(['ws'], 'testServer({ webSocket })', () => import('ws'));
  const WebSocket = isServed ? (await load()).WebSocket : undefined;
  return {
    open: (): SocketTransport => {
      if (WebSocket === undefined)
        throw new TypeError(
          'The test server takes no WebSockets: testServer({ webSocket: true }), and a server that listens, does.',
        );
      const transport = webSocket(url, { WebSocket });
      made.push(transport);
      return transport;
    },
    close: () => {
      for (const transport of made) transport.close();
    },
  };
}

function createTestJobs(appOf: ((capabilities: GroupTree) => Application) | undefined) {
  const enqueued: EnqueuedJob[] = [];
  const ids = new Set<string>();
  const faults: Error[] = [];
  let last = Promise.resolve();
  async function run(
    { id, key, input, headers }: Job,
    app: Application,
    attempts: number,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await invokeJob(app, {
        capability: key,
        input: structuredClone(input),
        headers,
      });
      if (outcome.ok) return;
      const { failure } = outcome;
      if (!isFinal(failure) && attempt < attempts) continue;
      const what = `The job ${key} '${id}' was given up at attempt ${attempt} of ${attempts}: ${toText(failure)}`;
      return void faults.push(new Error(what, { cause: toError(failure) }));
    }
  }
  async function idle(): Promise<void> {
    for (let seen: unknown; seen !== last; await seen) seen = last;
    const [fault] = faults.splice(0);
    if (fault !== undefined) throw fault;
  }
  const sink: JobSink = (job, { capabilities, settings }) => {
    const { id, key, input, delayMs } = job;
    if (ids.has(`${key} ${id}`)) return;
    ids.add(`${key} ${id}`);
    enqueued.push(delayMs > 0 ? { key, input, delayMs } : { key, input });
    const { attempts = 1 } = settings.get(key) ?? {};
    if (appOf !== undefined) last = last.then(() => run(job, appOf(capabilities), attempts));
  };
  return { enqueued, idle, sink };
}

/**
 * The context of `capability.resolve(input, mockContext({ user }))`: these values, a signal that never fires, and a log
 * that writes nothing.
 */
export function mockContext<Values extends object = object>(
  values?: Values,
): BaseContext & NoInfer<Values> {
  const log = { ...silentLogger, debug: () => {} };
  return { requestId: 'test', signal: new AbortController().signal, log, ...values } as never;
}
