import { once } from 'node:events';
import type * as Http from 'node:http';
import type * as Https from 'node:https';
import type { Socket } from 'node:net';
import { findLastResponse } from './exchange.ts';

/** As `require` gives it: an `import` loads the WebSocket of browsers from Node 22 on, 40 ms of CPU in each process. */
export function nodeHttp(): typeof Http {
  return process.getBuiltinModule('node:http');
}

export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}

/** The time that an idle connection stays while a server closes, milliseconds: a request may be on its way to it. */
const QUIET_MS = 50;

/**
 * Prepares a server to be closed, before its first connection. Its requests go through `followsClose`. Gives the
 * function that takes no more connections, ends those that are idle, and after `graceMs` milliseconds the others.
 */
export function createHttpServerCloser(server: Http.Server): (graceMs: number) => Promise<void> {
  const open = new Set<Socket>();
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const endIdle = (): void => {
    // Node takes a connection for idle while the rest of its response is on its way.
    if ([...open].some(({ writableLength }) => writableLength > 0)) return;
    // Browsers hold connections ready that have sent nothing, which Node does not count as idle.
    for (const socket of open) if (findLastResponse(socket) === undefined) socket.destroy();
    server.closeIdleConnections();
  };
  return async (graceMs) => {
    const closed = once(server, 'close');
    // The method of node:http, the only one on Bun, would end idle connections at once.
    const { Server: NetServer } = await import('node:net');
    const isOfNet = server instanceof NetServer;
    if (isOfNet) NetServer.prototype.close.call(server);
    else (server as Http.Server).close();
    // Timers run before what has arrived is read, which takes a turn, and one more of a client in this process.
    const endLater = (): unknown => setImmediate(() => setImmediate(() => setImmediate(endIdle)));
    const sweep = setInterval(endLater, Math.min(QUIET_MS, graceMs));
    const end = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
    // Stops Node's clock of slow requests.
    if (isOfNet) server.close();
  };
}
