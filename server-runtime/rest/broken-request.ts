import type { Server as HttpServer } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers what is no HTTP, in the envelope of every other error, and ends its connection. */
export function answerBrokenRequests(server: HttpServer, newRequestId: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, name, message } = toRefusal(error.code);
    const body = JSON.stringify({ error: name, message });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newRequestId()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function toRefusal(code: string | undefined): {
  readonly status: number;
  readonly name: string;
  readonly message: string;
} {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, name: 'RequestHeaderFieldsTooLarge', message: 'The request headers are too large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, name: 'RequestTimeout', message: 'The request did not arrive in time' };
    default:
      return { status: 400, name: 'BadRequest', message: 'The request is not valid HTTP' };
  }
}
