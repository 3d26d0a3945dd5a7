import type { Server as HttpServer } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { findDevLink } from '../server/dev-link.ts';
import { type Exchange, findLastResponse, toRequestListener } from './exchange.ts';
import { createHttpServerCloser } from './http-server-closer.ts';
import type { Limits } from './limits.ts';
import { nodeHttp, nodeHttps } from './node-http.ts';

/** The options of listening, with every default applied. */
export interface ListenSettings {
  readonly port: number;
  /** Undefined for every address of the machine. */
  readonly host: string | undefined;
  /** Path of a Unix socket, in place of port and host. */
  readonly unix: string | undefined;
  readonly https: HttpsOptions | undefined;
  readonly limits: Limits;
}

/** A server that listens. */
export interface HttpListener {
  /** The address for people. */
  readonly url: string;
  /** The addresses at which other machines reach it; undefined unless it listens at every address of this one. */
  readonly networkUrls: readonly string[] | undefined;
  /** Takes no more connections, ends those that are idle, waits at most `graceMs` for the others. */
  readonly close: (graceMs: number) => Promise<void>;
}

/**
 * Listens as the settings say. Rejects with a message that names port or socket, and the system's `code`.
 *
 * @param newRequestId makes the id of a request that is not HTTP
 */
export async function createHttpListener(
  settings: ListenSettings,
  handle: (exchange: Exchange) => void,
  newRequestId: () => string,
): Promise<HttpListener> {
  const { https, limits } = settings;
  const onRequest = toRequestListener(handle);
  const server = https === undefined ? nodeHttp().createServer(onRequest) : nodeHttps().createServer(https, onRequest);
  answerBrokenRequests(server, newRequestId);
  limits.apply(server);
  const close = createHttpServerCloser(server);
  const link = findDevLink();
  link?.follow?.(server);
  const { port, host, unix } = settings;
  const place =
    link?.listen === undefined || unix !== undefined
      ? { ...settings, port: await listen(server, settings) }
      : { ...settings, ...(await link.listen(server, { port, host })) };
  return { url: toUrl(place), networkUrls: findNetworkUrls(place), close };
}

type Place = Omit<ListenSettings, 'limits'>;

/** Gives the port, which was asked for or is a free one; 0 for a Unix socket. */
async function listen(server: HttpServer, place: Place): Promise<number> {
  const { port, host, unix } = place;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(toListenError(error, place));
    server.once('error', fail);
    server.listen(unix === undefined ? { port, ...(host === undefined ? {} : { host }) } : { path: unix }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return unix === undefined ? (server.address() as AddressInfo).port : 0;
}

function toListenError(cause: NodeJS.ErrnoException, { port, host, unix }: Place): Error {
  const isPort = unix === undefined;
  const name = isPort ? `Port ${port}` : `The socket ${unix}`;
  const other = `choose another port, for example restTransport({port: ${port === 65_535 ? 3000 : port + 1}})`;
  const inUse = isPort ? other : 'remove the file, if no program uses it any more';
  const unknown =
    `This machine has no address ${host}. Choose another host, for example restTransport({host: '127.0.0.1'}), ` +
    'or leave it out for every address.';
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${name} is already in use. Stop the program that uses it, or ${inUse}.`,
    EACCES: `${name} may not be used by this user. Choose ${isPort ? 'a port from 1024 on' : 'another folder'}.`,
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
 * Answers what is not HTTP, in the envelope of every other error, and ends its connection: after the responses that are
 * still to be sent there, but never in the middle of one, of which it would be taken for more. What follows a request
 * that ends the connection is left alone.
 */
function answerBrokenRequests(server: HttpServer, newRequestId: () => string): void {
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
