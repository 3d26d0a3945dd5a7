import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { CutRequest } from './server-message.ts';

/** The requests of a server that have begun and not ended. */
export interface OpenRequests {
  /** Follows the requests from now on, before whoever answers them. */
  readonly follow: () => void;
  readonly size: () => number;
  /** Whether a request of this connection has begun. */
  readonly has: (socket: unknown) => boolean;
  /** Ends streams of events that a client has subscribed to: it asks again by itself. Others are answers, and have an end of their own. */
  readonly endEventStreams: () => void;
  readonly describe: () => readonly CutRequest[];
}

interface Open {
  readonly request: IncomingMessage;
  readonly from: number;
}

export function createOpenRequests(server: Pick<HttpServer, 'prependListener'>): OpenRequests {
  const open = new Map<ServerResponse, Open>();
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    open.set(response, { request, from: performance.now() });
    response.once('close', () => open.delete(response));
  };
  return {
    follow: () => void server.prependListener('request', take),
    size: () => open.size,
    has: (socket) => [...open.values()].some(({ request }) => request.socket === socket),
    endEventStreams: () => {
      for (const [response, { request }] of open) {
        if (request.method !== 'GET' || !/^text\/event-stream\b/.test(String(response.getHeader('content-type'))))
          continue;
        // Whoever writes to it learns of its end by that alone.
        response.on('error', () => {});
        response.end();
      }
    },
    describe: () =>
      [...open.values()].map(({ request: { method = '', url = '' }, from }) => ({
        method,
        url,
        durationMs: performance.now() - from,
      })),
  };
}
