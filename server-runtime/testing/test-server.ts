import type { RestOptions } from '../rest/rest-options.ts';
import { restTransport, toFetchHandler } from '../rest-transport.ts';
import { createServer, type Server, type ServerOptions } from '../server/create-server.ts';
import { consoleLogger, type Logger, silentLogger } from '../server/logger.ts';

export interface TestServerOptions extends Omit<ServerOptions, 'transports'> {
  /** As given to `restTransport`: `urlCase`, `overrides`, `cors`. The port is always a free one of this machine. */
  readonly rest?: Omit<RestOptions, 'port' | 'host'> | undefined;
  /** Whether it listens on a socket; without one, `fetch` answers in memory and nothing listens. @default true */
  readonly listen?: boolean | undefined;
  /** @default warnings and errors on stderr */
  readonly logger?: Logger;
}

export interface TestServer {
  readonly server: Server;
  /** `http://127.0.0.1:49152`, without a slash at its end; `http://localhost` in memory. */
  readonly url: string;
  /** Asks the server: `fetch('/users/1')`. A plain object as `json` is sent as the JSON body, with POST unless a method is given. */
  readonly fetch: (path: string, init?: TestRequestInit) => Promise<Response>;
  /** Calls a capability without HTTP: `server.invoke`. */
  readonly invoke: Server['invoke'];
  readonly stop: () => Promise<void>;
  /** `await using api = await testServer({…})` stops it at the end of the block. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export interface TestRequestInit extends RequestInit {
  readonly json?: unknown;
}

/**
 * Starts an application for a test, over a real socket on a free port or in memory. Stop it when the test is over.
 * Rejects as `server.start()` does.
 */
export async function testServer({ rest = {}, listen = true, ...options }: TestServerOptions): Promise<TestServer> {
  const transport = restTransport({ ...rest, port: 0, host: '127.0.0.1' });
  const server = createServer({ logger: quietLogger, ...options, transports: [transport] });
  const started = listen ? await server.start() : [];
  const url = started[0]?.url ?? 'http://localhost';
  const send = listen ? fetch : toFetchHandler(server);
  const stop = (): Promise<void> => server.stop();
  return {
    server,
    url,
    fetch: (path, init = {}) => send(new Request(new URL(path, `${url}/`), toInit(init))),
    invoke: server.invoke,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const quietLogger: Logger = { ...silentLogger, warn: consoleLogger.warn, error: consoleLogger.error };

function toInit({ json, ...init }: TestRequestInit): RequestInit {
  if (json === undefined) return init;
  const headers = new Headers(init.headers);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return { method: 'POST', ...init, headers, body: JSON.stringify(json) };
}
