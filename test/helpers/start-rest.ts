import { describe, onTestFinished } from 'vitest';
import {
  createServer,
  type Failure,
  type Logger,
  type RestOptions,
  restTransport,
  type Server,
  type ServerOptions,
  toFetchHandler,
} from '../../server-runtime/index.ts';

export interface StartRestOptions extends Omit<ServerOptions, 'transports'> {
  readonly rest?: RestOptions;
}

/** A REST transport that answers, over a socket or in memory. */
export interface RunningRest {
  readonly server: Server;
  /** Where it listens; `http://in-memory` where it does not. */
  readonly url: string;
  /** What the server wrote to its log. */
  readonly log: RecordedLog;
  readonly request: (
    path: string,
    init?: RequestInit & { readonly duplex?: 'half' },
  ) => Promise<Response>;
}

export type StartRest = (options: StartRestOptions) => Promise<RunningRest>;

/** Runs the same cases over real sockets and through the fetch form. */
export function describeEverywhere(name: string, cases: (start: StartRest) => void): void {
  describe(`${name}, over a socket`, () => cases(startOverSocket));
  describe(`${name}, through fetch`, () => cases(startInMemory));
}

let startThere: StartRest | 'http' = 'http';

/** Lets `startOverSocket` start servers so, until this is called with `http`. */
export function startThrough(start: StartRest | 'http'): void {
  startThere = start;
}

/** Starts a server on a free port; it stops with the test. */
export const startOverSocket: StartRest = (options) =>
  startThere === 'http' ? startOverHttp(options) : startThere(options);

const startOverHttp: StartRest = async ({ rest, ...options }) => {
  const log = recordLog();
  const server = createServer({
    logger: log,
    ...options,
    transports: [restTransport({ port: 0, ...rest })],
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const url = started?.url ?? '';
  return { server, url, log, request: (path, init) => fetch(url + path, init) };
};

const startInMemory: StartRest = async ({ rest, ...options }) => {
  const log = recordLog();
  const server = createServer({ logger: log, ...options });
  const answer = toFetchHandler(server, rest ?? {});
  const url = 'http://in-memory';
  return { server, url, log, request: (path, init) => answer(new Request(url + path, init)) };
};

export interface RecordedLog extends Logger {
  readonly errors: readonly {
    readonly message: string;
    readonly error: unknown;
    readonly requestId: string | undefined;
  }[];
  readonly warnings: readonly string[];
}

export function recordLog(): RecordedLog {
  const errors: RecordedLog['errors'][number][] = [];
  const warnings: string[] = [];
  return {
    errors,
    warnings,
    info: () => {},
    warn: (message) => void warnings.push(message),
    error: (message, details) =>
      void errors.push({ message, error: details?.error, requestId: details?.requestId }),
  };
}

/** A POST, PATCH or PUT of JSON. */
export function json(value: unknown, method = 'POST'): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  };
}

/** What a refusal's body is. */
export type ErrorBody = Pick<Failure, 'message' | 'meta'> & { readonly error: string };

/** A promise and the function that fulfils it, to let a handler wait for the test. */
export function defer<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
