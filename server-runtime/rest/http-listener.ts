import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { toRequestId } from '../execution/operation-call.ts';
import { type Exchange, findLastResponse, toRequestListener } from '../http/exchange.ts';
import { createHttpServerCloser, nodeHttp, nodeHttps } from '../http/node-http.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { TransportStarted } from '../server/transport.ts';
import type { RestSettings } from './rest-options.ts';

export interface HttpListener {
  /** The address for people, and those for other machines where it listens at every address of this one. */
  readonly address: Pick<TransportStarted, 'url' | 'networkUrls'>;
  /** Takes no more connections, ends those that are idle, waits at most `graceMs` for the others. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Listens as the settings say. Rejects with a message that names port or socket, and the system's `code`. */
export async function createHttpListener(
  settings: RestSettings,
  handle: (exchange: Exchange) => void,
): Promise<HttpListener> {
  const { https, limits, unix } = settings;
  const onRequest = toRequestListener(handle);
  const server = https === undefined ? nodeHttp().createServer(onRequest) : nodeHttps().createServer(https, onRequest);
  answerBrokenRequests(server);
  limits(server);
  const close = createHttpServerCloser(server);
  const link = findDevLink();
  link?.follow?.(server);
  const found = unix === undefined ? await link?.listen?.(server, settings) : undefined;
  const place = { ...settings, ...(found ?? (await listen(server, settings))) };
  const networkUrls = findNetworkUrls(place);
  return { address: { url: toUrl(place), ...(networkUrls && { networkUrls }) }, close };
}

/** Gives the port, which was asked for or is a free one. */
async function listen(server: HttpServer, place: RestSettings): Promise<Partial<AddressInfo>> {
  const { port, host, unix } = place;
  server.listen(unix === undefined ? { port, host } : { path: unix });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw toListenError(error, place);
  });
  return unix === undefined ? { port: (server.address() as AddressInfo).port } : {};
}

function toListenError(cause: NodeJS.ErrnoException, { port, host, unix }: RestSettings): Error {
  const name = unix === undefined ? `Port ${port}` : `The socket ${unix}`;
  const unknown = `This machine has no address ${host}. Choose another host, or leave it out for every address.`;
  const other = unix === undefined ? 'choose another port' : 'remove the file, if no program uses it any more';
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${name} is already in use. Stop the program that uses it, or ${other}.`,
    EACCES: `${name} may not be used by this user.`,
    EADDRNOTAVAIL: unknown,
    ENOTFOUND: unknown,
    EAI_AGAIN: unknown,
  };
  const message = messages[cause.code ?? ''];
  return message === undefined ? cause : Object.assign(new Error(message, { cause }), { code: cause.code });
}

/** The address at which this machine reaches the server: `http://localhost:3000`. */
function toUrl({ host, port, unix, https }: RestSettings): string {
  if (unix !== undefined) return `unix:${unix}`;
  const name = isEveryAddress(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${https === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/** The addresses of IPv4 at which other machines reach a server of every address; undefined otherwise. */
function findNetworkUrls(place: RestSettings): readonly string[] | undefined {
  const { host, unix } = place;
  if (unix !== undefined || !isEveryAddress(host)) return undefined;
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const others = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return others.map(({ address }) => toUrl({ ...place, host: address }));
}

function isEveryAddress(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/**
 * Answers what is not HTTP, and ends its connection: after the responses that are still to be sent there, but never in
 * the middle of one, of which it would be taken for more. What follows the last request of a connection is left alone.
 */
function answerBrokenRequests(server: HttpServer): void {
  const waiting = new WeakSet<Duplex>();
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code === 'HPE_CLOSED_CONNECTION' || waiting.has(socket)) return;
    const last = findLastResponse(socket);
    const refuse = (): void => {
      const isHalfSent = last?.headersSent === true && !last.writableFinished;
      if (code === 'ECONNRESET' || !socket.writable || isHalfSent) socket.destroy();
      else socket.end(toRefusal(code));
    };
    const isPending = last !== undefined && last.req.complete && !last.headersSent && !last.destroyed;
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
  const facts = [`content-length: ${Buffer.byteLength(body)}`, `x-request-id: ${toRequestId()}`, 'connection: close'];
  return [`HTTP/1.1 ${status}`, type, ...facts, '', body].join('\r\n');
}
