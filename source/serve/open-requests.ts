import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { CutRequest } from './server-message.ts';

/** The requests of a server that have begun and not ended. */
export interface OpenRequests {
  /** Follows the requests from now on, before whoever answers them. */
  readonly follow: () => void;
  readonly size: () => number;
  /** Whether a request of this connection has begun. */
  readonly has: (socket: unknown) => boolean;
  /**
   * Ends streams of events that a client has subscribed to: it asks again by itself. Others are answers, and have an end of their own.
   * Resolves when their ends are sent.
   */
  readonly endEventStreams: () => Promise<void>;
  /** Those that would be cut off now: streams that were ended are not. */
  readonly describe: () => readonly CutRequest[];
}

interface Open {
  readonly request: IncomingMessage;
  readonly from: number;
  /** Resolves when the end of its stream is sent, where it was ended from here. */
  ended?: Promise<void>;
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
    endEventStreams: async () => {
      for (const [response, one] of open) {
        if (one.request.method === 'GET' && isEventStream(response)) one.ended ??= endStream(response);
      }
      await Promise.all([...open.values()].flatMap(({ ended }) => ended ?? []));
    },
    describe: () =>
      [...open.values()]
        .filter(({ ended }) => ended === undefined)
        .map(({ request: { method = '', url = '' }, from }) => ({
          method,
          url,
          durationMs: performance.now() - from,
        })),
  };
}

/** A head that was written in one piece, as this package writes it, is in none of the headers that Node tells: only in its text. */
function isEventStream(response: ServerResponse): boolean {
  const { _header: head } = response as { readonly _header?: string | null };
  return (
    /^text\/event-stream\b/i.test(String(response.getHeader('content-type'))) ||
    /^content-type: text\/event-stream\b/im.test(head ?? '')
  );
}

function endStream(response: ServerResponse): Promise<void> {
  // Whoever writes to it learns of its end by that alone.
  response.on('error', () => {});
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.end(resolve);
  });
}
