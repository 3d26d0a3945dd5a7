import type { Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { findLastResponse } from './exchange.ts';

/**
 * Answers what is not HTTP, in the envelope of every other error, and ends its connection: after the responses that are
 * still to be sent there, but never in the middle of one, of which it would be taken for more. What follows a request
 * that ends the connection is left alone.
 */
export function answerBrokenRequests(server: HttpServer, newRequestId: () => string): void {
  const waiting = new WeakSet<Duplex>();
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code === 'HPE_CLOSED_CONNECTION' || waiting.has(socket)) return;
    const last = findLastResponse(socket);
    const isPending = last !== undefined && last.req.complete && !last.headersSent && !last.destroyed;
    if (!isPending || code === 'ECONNRESET') return refuse(code, socket);
    waiting.add(socket);
    last.once('close', () => refuse(code, socket));
  });

  function refuse(code: string, socket: Duplex): void {
    const last = findLastResponse(socket);
    const isHalfSent = last?.headersSent === true && !last.writableFinished;
    if (code === 'ECONNRESET' || !socket.writable || isHalfSent) return void socket.destroy();
    const [status, error, message] = refusals[code] ?? notHttp;
    const body = JSON.stringify({ error, message });
    const head = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newRequestId()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}

type Refusal = readonly [status: string, error: string, message: string];

const notHttp: Refusal = ['400 Bad Request', 'BadRequest', 'The request is not valid HTTP'];
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'RequestHeaderFieldsTooLarge',
    'The request headers are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'RequestTimeout', 'The request did not arrive in time'],
};
