import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { ServerOptions as HttpsOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { limitSessions } from './limit-sessions.ts';

export interface Http2Options {
  /** Without it, HTTP/2 alone and in the clear. */
  readonly https: HttpsOptions | undefined;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onHttp1Request: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A server of node:http2, given what it lacks beside those of node:http: limits of connections, and ways to end them. */
export function createHttp2Server({ https, onExchange, onHttp1Request }: Http2Options): HttpServer {
  const onRequest = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    if (request.httpVersionMajor === 2) onExchange(new Http2Exchange(request, response));
    else onHttp1Request(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  };
  const server =
    https === undefined ? createServer(onRequest) : createSecureServer({ ...https, allowHTTP1: true }, onRequest);
  const limits = toLimits(https);
  limitSessions(server, limits.headersTimeout);
  // For those who speak HTTP/1.1 here: Node has them as properties of this server, and not all of them as options.
  return Object.assign(withConnections(server), limits);
}

/** Milliseconds; those of node:http, unless `https` says others. */
function toLimits({
  headersTimeout = 60_000,
  requestTimeout = 300_000,
  keepAliveTimeout = 5000,
  connectionsCheckingInterval = 30_000,
}: HttpsOptions = {}) {
  return { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval };
}

/** Gives a server of node:http2 the two ways to end connections that the others have. */
function withConnections(server: Http2Server): HttpServer {
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
