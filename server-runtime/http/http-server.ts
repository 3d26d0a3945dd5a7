import type { Server as HttpServer, ServerOptions } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { findDevLink } from '../server/dev-link.ts';
import type { Guests } from '../server/guests.ts';
import { type Exchange, findLastResponse, toRequestListener } from './exchange.ts';
import { type Limits, setLimits } from './limits.ts';
import { nodeHttp, nodeHttps } from './node-http.ts';
import { takeUpgrades } from './upgrades.ts';

interface HttpServerSettings {
  readonly mounts: readonly unknown[];
  readonly https?: HttpsOptions | undefined;
  readonly limits: Limits;
}

/** A server that does not listen yet. `handle` answers the requests that its guests do not take. */
export function createHttpServer(
  { https, limits, mounts }: HttpServerSettings,
  handle: (exchange: Exchange) => void,
  { take, upgrade }: Pick<Guests, 'take' | 'upgrade'>,
): HttpServer {
  const isAlone = take === undefined && mounts.length === 0;
  // From Node 24.7 on, a body that is not there then has no events. Handlers of others may wait for them.
  const options: ServerOptions = Object.assign({ ...https }, { optimizeEmptyRequests: isAlone });
  const server =
    https === undefined ? nodeHttp().createServer(options) : nodeHttps().createServer(options);
  for (const event of ['request', 'checkContinue'] as const)
    server.on(event, toRequestListener(event, handle, take));
  answerBrokenRequests(server, limits.slowReaderMs);
  setLimits(server, limits, isAlone);
  if (upgrade !== undefined) takeUpgrades(server, upgrade);
  findDevLink()?.follow?.(server);
  return server;
}

/**
 * Answers a request that is not valid HTTP, and ends its connection. The answer comes after all responses that wait
 * there, and never in the middle of one, where it would count as its content. Bytes behind the last request of a
 * connection get no answer.
 */
function answerBrokenRequests(server: HttpServer, slowReaderMs: number): void {
  const waiting = new WeakSet<Duplex>();
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, stream: Duplex) => {
    const socket = stream as Socket;
    if (code === 'HPE_CLOSED_CONNECTION' || waiting.has(socket)) return;
    const last = findLastResponse(socket);
    const refuse = (): void => {
      const isHalfSent = last?.headersSent === true && !last.writableFinished;
      if (code === 'ECONNRESET' || !socket.writable || isHalfSent) socket.destroy();
      // Its sender may leave its end of the connection open.
      else socket.setTimeout(slowReaderMs, () => socket.destroy()).end(toRefusal(code));
    };
    const isPending =
      last !== undefined && !last.headersSent && last.req.complete && !last.destroyed;
    if (!isPending || code === 'ECONNRESET') return refuse();
    waiting.add(socket);
    last.once('close', refuse);
  });
}

const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
};

function toRefusal(code: string): string {
  const [status, message] = refusals[code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: status.slice(4).replaceAll(' ', ''), message });
  const type = 'content-type: application/json; charset=utf-8';
  const facts = [
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${crypto.randomUUID()}`,
    'connection: close',
  ];
  return [`HTTP/1.1 ${status}`, type, ...facts, '', body].join('\r\n');
}
