import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** How often connections that have become idle are ended while a server closes, milliseconds. */
const SWEEP_MS = 50;

/**
 * Prepares a server to be closed, before its first connection; gives the function that closes it: it takes no more connections, ends those
 * that are idle, and after `graceMs` milliseconds the others.
 */
export function toHttpServerCloser(
  server: HttpServer,
  { speaksHttp1 = true }: { readonly speaksHttp1?: boolean } = {},
): (graceMs: number) => Promise<void> {
  const silent = speaksHttp1 ? trackSilent(server) : [];
  return async (graceMs) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of silent) socket.destroy();
    server.closeIdleConnections();
    // A connection that streamed its answer was told nothing, and would stay for its keep-alive time.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const end = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
  };
}

/**
 * Connections of HTTP/1.1 that have not sent a request yet. Node does not count them as idle, and browsers hold them ready. Those of HTTP/2
 * end as sessions.
 */
function trackSilent(server: HttpServer): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket & Partial<TLSSocket>) => {
    if (socket.alpnProtocol === 'h2') return;
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => silent.delete(request.socket));
  return silent;
}
