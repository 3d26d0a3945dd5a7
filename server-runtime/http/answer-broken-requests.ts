import type { Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { findPendingResponse } from './node-http.ts';

/** Connections in the middle of an answer, where another one would be taken for more of it. */
const answering = new WeakSet<Duplex>();

/** Says whether an answer has begun on a connection that has not ended yet. */
export function markAnswering(socket: Duplex, isAnswering: boolean): void {
  if (isAnswering) answering.add(socket);
  else answering.delete(socket);
}

/**
 * Answers what is not HTTP, in the envelope of every other error, and ends its connection. What follows a request that
 * ends the connection is left alone.
 */
export function answerBrokenRequests(server: HttpServer, newRequestId: () => string): void {
  /** Connections that have responses to send before. */
  const waiting = new WeakSet<Duplex>();
  const refuse = ({ code }: NodeJS.ErrnoException, socket: Duplex): void => {
    if (code === 'ECONNRESET' || !socket.writable || answering.has(socket)) {
      socket.destroy();
      return;
    }
    const { line, name, message } = toRefusal(code);
    const body = JSON.stringify({ error: name, message });
    const head = [
      `HTTP/1.1 ${line}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newRequestId()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'HPE_CLOSED_CONNECTION' || waiting.has(socket)) return;
    const endsNow = error.code === 'ECONNRESET' || answering.has(socket);
    const pending = endsNow ? undefined : findPendingResponse(socket);
    if (pending === undefined) return refuse(error, socket);
    waiting.add(socket);
    pending.once('close', () => {
      waiting.delete(socket);
      refuse(error, socket);
    });
  });
}

interface Refusal {
  readonly line: string;
  readonly name: string;
  readonly message: string;
}

function toRefusal(code: string | undefined): Refusal {
  return (code === undefined ? undefined : refusals[code]) ?? notHttp;
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    name: 'RequestHeaderFieldsTooLarge',
    message: 'The request headers are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    name: 'RequestTimeout',
    message: 'The request did not arrive in time',
  },
};
const notHttp: Refusal = { line: '400 Bad Request', name: 'BadRequest', message: 'The request is not valid HTTP' };
