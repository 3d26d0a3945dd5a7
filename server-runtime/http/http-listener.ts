import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { toRequestId } from '../execution/operation-call.ts';
import { findDevLink } from '../server/dev-link.ts';
import { type Exchange, findLastResponse, toRequestListener } from './exchange.ts';
import { createHttpServerCloser } from './http-server-closer.ts';
import { nodeHttp, nodeHttps } from './node-http.ts';

export interface ListenSettings {
  readonly port: number;
  /** Undefined for every address of the machine. */
  readonly host: string | undefined;
  /** Path of a Unix socket, in place of port and host. */
  readonly unix: string | undefined;
  readonly https: HttpsOptions | undefined;
  /** Sets the limits of the server. */
  readonly limits: (server: HttpServer) => void;
}

export interface HttpListener {
  /** The address for people. */
  readonly url: string;
  /** The addresses at which other machines reach it; undefined unless it listens at every address of this one. */
  readonly networkUrls: readonly string[] | undefined;
  /** Takes no more connections, ends those that are idle, waits at most `graceMs` for the others. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Listens as the settings say. Rejects with a message that names port or socket, and the system's `code`. */
export async function createHttpListener(
  settings: ListenSettings,
  handle: (exchange: Exchange) => void,
): Promise<HttpListener> {
  const { https, limits } = settings;
  const onRequest = toRequestListener(handle);
  const server = https === undefined ? nodeHttp().createServer(onRequest) : nodeHttps().createServer(https, onRequest);
  answerBrokenRequests(server);
  limits(server);
  const close = createHttpServerCloser(server);
  const link = findDevLink();
  link?.follow?.(server);
  const place = {
    ...settings,
    ...(link?.listen === undefined || settings.unix !== undefined
      ? { port: await listen(server, settings) }
      : await link.listen(server, settings)),
  };
  return { url: toUrl(place), networkUrls: findNetworkUrls(place), close };
}

type Place = Omit<ListenSettings, 'limits'>;

/** Gives the port, which was asked for or is a free one; 0 for a Unix socket. */
async function listen(server: HttpServer, place: Place): Promise<number> {
  const { port, host, unix } = place;
  server.listen(unix === undefined ? { port, host } : { path: unix });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw toListenError(error, place);
  });
  return unix === undefined ? (server.address() as AddressInfo).port : 0;
}

function toListenError(cause: NodeJS.ErrnoException, { port, host, unix }: Place): Error {
  const name = unix === undefined ? `Port ${port}` : `The socket ${unix}`;
  const other = `choose another port, for example restTransport({port: ${port === 65_535 ? 3000 : port + 1}})`;
  const inUse = unix === undefined ? other : 'remove the file, if no program uses it any more';
  const allowed = unix === undefined ? 'a port from 1024 on' : 'another folder';
  const unknown = `This machine has no address ${host}. Choose another host, or leave it out for every address.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${name} is already in use. Stop the program that uses it, or ${inUse}.`,
    EACCES: `${name} may not be used by this user. Choose ${allowed}.`,
    EADDRNOTAVAIL: unknown,
    ENOTFOUND: unknown,
    EAI_AGAIN: unknown,
  };
  const message = messages[cause.code ?? ''];
  return message === undefined ? cause : Object.assign(new Error(message, { cause }), { code: cause.code });
}

/** The address at which this machine reaches the server: `http://localhost:3000`. */
function toUrl({ host, port, unix, https }: Place): string {
  if (unix !== undefined) return `unix:${unix}`;
  const name = isEveryAddress(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${https === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/** The addresses at which other machines reach a server of every address, IPv4 first; undefined otherwise. */
function findNetworkUrls(place: Place): readonly string[] | undefined {
  const { host, unix } = place;
  if (unix !== undefined || !isEveryAddress(host)) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.filter(({ internal }) => !internal) ?? []);
  const version4 = addresses.filter(({ family }) => family === 'IPv4');
  // One that is local to a link is of use only with the name of an interface.
  const version6 = host === '0.0.0.0' ? [] : addresses.filter(({ address }) => !/^fe[89ab]/i.test(address));
  return (version4.length > 0 ? version4 : version6).map(({ address }) => toUrl({ ...place, host: address }));
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

function toRefusal(code: string): string {
  const [status, message] = refusals[code] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: status.slice(4).replaceAll(' ', ''), message });
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${toRequestId()}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
};
