import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerHeaders } from '../record/recorded-call.ts';
import type { CutRequest } from './server-message.ts';

/** The requests of a server that have begun and not ended. */
export interface OpenRequests {
  /** Follows the requests from now on, before whoever answers them: the server, or newer code. */
  readonly follow: (answering: 'server' | 'newer code') => void;
  /** Ends each connection with its next answer, and says so in it. */
  readonly endConnections: () => void;
  readonly size: () => number;
  /**
   * Whether a connection is in use by HTTP: one of its requests has begun, or it is between two of them. Under TLS the
   * connection is the socket that carries the encrypted bytes.
   */
  readonly holds: (connection: Socket) => boolean;
  /** Whether the server itself has a request of this connection to answer. */
  readonly isAnswering: (connection: Socket) => boolean;
  /** Closes the connections that have been idle since their last answer for at least so many milliseconds. */
  readonly closeQuiet: (quietMs: number) => void;
  /**
   * Ends streams of events that a client has subscribed to: it asks again by itself. Others are answers, and have an
   * end of their own. Resolves when their ends are sent.
   */
  readonly endEventStreams: () => Promise<void>;
  /** The requests of the server itself that would be cut off now: streams that were ended are not. */
  readonly describe: () => readonly CutRequest[];
}

interface Open {
  readonly request: IncomingMessage;
  readonly isPassedOn: boolean;
  readonly from: number;
  /** Resolves when the end of its stream is sent, where it was ended from here. */
  ended?: Promise<void>;
}

/** A connection between two requests. */
interface Quiet {
  readonly from: number;
  /** The bytes that had come by then: more are a request that has begun to arrive. */
  readonly bytesRead: number;
}

export function createOpenRequests(server: Pick<HttpServer, 'prependListener'>): OpenRequests {
  const open = new Map<ServerResponse, Open>();
  const quiet = new Map<Socket, Quiet>();
  const followed = new WeakSet<Socket>();
  const take = (request: IncomingMessage, response: ServerResponse, isPassedOn: boolean): void => {
    const { socket } = request;
    open.set(response, { request, isPassedOn, from: performance.now() });
    quiet.delete(socket);
    if (!followed.has(socket)) {
      followed.add(socket);
      socket.once('close', () => quiet.delete(socket));
    }
    response.once('close', () => {
      open.delete(response);
      if (!socket.destroyed) quiet.set(socket, { from: performance.now(), bytesRead: socket.bytesRead });
    });
  };
  return {
    follow: (answering) =>
      void server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
        take(request, response, answering === 'newer code'),
      ),
    endConnections: () => {
      for (const response of open.keys()) response.shouldKeepAlive = false;
      server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
        response.shouldKeepAlive = false;
      });
    },
    size: () => open.size,
    holds: (connection) =>
      [...open.values()].some(({ request: { socket } }) => toConnection(socket) === connection) ||
      [...quiet].some(
        ([socket, { bytesRead }]) => toConnection(socket) === connection && socket.bytesRead === bytesRead,
      ),
    isAnswering: (connection) =>
      [...open.values()].some(({ request, isPassedOn }) => !isPassedOn && toConnection(request.socket) === connection),
    closeQuiet: (quietMs) => {
      const until = performance.now() - quietMs;
      // A client may send several requests at once: one of them may be open after another has ended.
      const busy = new Set([...open.values()].map(({ request: { socket } }) => socket));
      for (const [socket, { from, bytesRead }] of quiet) {
        if (from <= until && socket.bytesRead === bytesRead && !busy.has(socket)) socket.destroy();
      }
    },
    endEventStreams: async () => {
      for (const [response, one] of open) {
        if (one.request.method === 'GET' && isEventStream(response)) one.ended ??= endStream(response);
      }
      await Promise.all([...open.values()].flatMap(({ ended }) => ended ?? []));
    },
    describe: () =>
      [...open.values()]
        .filter(({ isPassedOn, ended }) => !isPassedOn && ended === undefined)
        .map(({ request: { method = '', url = '' }, from }) => ({
          method,
          url,
          durationMs: performance.now() - from,
        })),
  };
}

/** Node's TLS keeps the socket that it reads from as its parent. */
function toConnection(socket: Socket): Socket {
  return (socket as { readonly _parent?: Socket | null })._parent ?? socket;
}

function isEventStream(response: ServerResponse): boolean {
  return answerHeaders(response).some(
    ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream\b/i.test(value),
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
