import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { ServerOptions as HttpsOptions } from 'node:https';
import { addConnectionEnds } from '../patches/add-connection-ends.ts';
import type { Exchange } from './exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { limitSessions } from './limits/limit-sessions.ts';

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
  // These are for callers who speak HTTP/1.1 here: Node has them as properties of this server, and not all of them as options.
  return Object.assign(addConnectionEnds(server), limits);
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
