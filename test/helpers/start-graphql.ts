import { onTestFinished } from 'vitest';
import { type GraphqlOptions, graphqlTransport } from '../../server-runtime/graphql/index.ts';
import {
  createServer,
  type RestOptions,
  restTransport,
  type Server,
  type ServerOptions,
} from '../../server-runtime/index.ts';
import { type RecordedLog, recordLog } from './start-rest.ts';

export interface GraphqlServerOptions extends Omit<ServerOptions, 'transports'> {
  readonly rest?: RestOptions;
  readonly graphql?: GraphqlOptions;
}

/** An answer of GraphQL, as far as tests look at it. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever a test asks for
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly object[];
    readonly extensions?: {
      readonly code: string;
      readonly status: number;
      readonly meta?: unknown;
    };
  }[];
}

export interface RunningGraphql {
  readonly server: Server;
  /** `http://localhost:49152/graphql` */
  readonly url: string;
  readonly log: RecordedLog;
  /** Sends a document, by default as its clients do. */
  readonly ask: (query: string, variables?: object, init?: RequestInit) => Promise<GraphqlAnswer>;
  /** Sends any request to the path. */
  readonly send: (init?: RequestInit, search?: string) => Promise<GraphqlAnswer>;
}

/** Starts a server of REST and GraphQL on a free port; it stops with the test. */
export async function startGraphql(options: GraphqlServerOptions): Promise<RunningGraphql> {
  const { rest, graphql, ...others } = options;
  const log = recordLog();
  const server = createServer({
    logger: log,
    ...others,
    transports: [restTransport({ port: 0, ...rest }), graphqlTransport(graphql)],
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const url = `${started?.url}${rest?.prefix ?? ''}${graphql?.path ?? '/graphql'}`;
  const send: RunningGraphql['send'] = async (init, search = '') =>
    readAnswer(await fetch(url + search, init));
  return {
    server,
    url,
    log,
    send,
    ask: (query, variables, init = {}) => send(toPost({ query, variables }, init)),
  };
}

export function toPost(body: object, init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('content-type', 'application/json');
  if (!headers.has('accept')) headers.set('accept', 'application/graphql-response+json');
  return { method: 'POST', ...init, headers, body: JSON.stringify(body) };
}

export async function readAnswer(response: Response): Promise<GraphqlAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, ...(text === '' ? {} : (JSON.parse(text) as object)) };
}
