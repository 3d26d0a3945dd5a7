import type * as Http from 'node:http';
import type { ServerResponse } from 'node:http';
import type * as Https from 'node:https';
import type { Duplex } from 'node:stream';

let http: typeof Http | undefined;

/**
 * `node:http` as `require` gives it. An `import` reads every name that the module exports, and from Node 22 on some of
 * them load the WebSocket of browsers: 40 ms of CPU in each process. Whoever observes `node:http` by `require` sees
 * this too. Only where requests come from Node.
 */
export function nodeHttp(): typeof Http {
  return (http ??= process.getBuiltinModule('node:http'));
}

/** `node:https` in the same way. */
export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}

/** The response to the last request of a connection, which may come before those ahead are answered. */
const LAST: unique symbol = Symbol('last response');

interface Connection extends Duplex {
  [LAST]?: ServerResponse;
}

/**
 * Whether a request follows one whose response ends the connection. It must not run (RFC 9112, 9.6): nobody could hear
 * its response, and its client may send it again.
 */
export function followsClose(connection: Connection, response: ServerResponse): boolean {
  if (connection[LAST]?.shouldKeepAlive === false) return true;
  connection[LAST] = response;
  return false;
}

/** Undefined for a connection that has sent no request yet. */
export function findLastResponse(connection: Connection): ServerResponse | undefined {
  return connection[LAST];
}

/** Whether no request has come after that of this response, as far as somebody has asked. */
export function isLastResponse(connection: Connection, response: ServerResponse): boolean {
  const last = connection[LAST];
  return last === undefined || last === response;
}

/** The response to a whole request that has not been sent yet; undefined where there is none. */
export function findPendingResponse(connection: Connection): ServerResponse | undefined {
  const last = connection[LAST];
  return last === undefined || last.writableFinished || !last.req.complete ? undefined : last;
}
