import type { Server as HttpServer } from 'node:http';
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** Gives a server of node:http2 the two ways to end connections that those of node:http have. */
export function addConnectionEnds(server: Http2Server): HttpServer {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closing = {
    closeIdleConnections: () => {
      for (const session of sessions) session.close();
    },
    closeAllConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
  return Object.assign(server, closing) as unknown as HttpServer;
}
