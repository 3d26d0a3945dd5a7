import type { Server as HttpServer } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { findDevLink } from '../server/dev-link.ts';
import { answerBrokenRequests } from './answer-broken-requests.ts';
import { type Exchange, toRequestListener } from './exchange.ts';
import { createHttpServerCloser } from './http-server-closer.ts';
import type { Limits } from './limits.ts';
import { nodeHttp, nodeHttps } from './node-http.ts';

/** The options of listening, with every default applied. */
export interface ListenSettings {
  readonly port: number;
  readonly host: string | undefined;
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

/** The functions that answer the requests of a listener. */
export interface Answering {
  readonly handle: (exchange: Exchange) => void;
  /** Makes the id of a request that is not HTTP. */
  readonly newRequestId: () => string;
}

/** Listens as the settings say. Rejects with a message that names port or socket, and the system's `code`. */
export async function createHttpListener(
  settings: ListenSettings,
  { handle, newRequestId }: Answering,
): Promise<HttpListener> {
  const onRequest = toRequestListener(handle);
  const { https } = settings;
  const server = https === undefined ? nodeHttp().createServer(onRequest) : nodeHttps().createServer(https, onRequest);
  answerBrokenRequests(server, newRequestId);
  settings.limits.apply(server);
  const close = createHttpServerCloser(server);
  findDevLink()?.follow?.(server);
  const place = { ...settings, ...(await listen(server, settings)) };
  return {
    url: toUrl(place),
    networkUrls: findNetworkUrls(place),
    close,
  };
}

/** A port or a Unix socket; without a host, every address of the machine. */
type Place = Omit<ListenSettings, 'limits'>;

/** Gives the port, asked for or free, and 0 for a Unix socket; under `capix dev` the host, too. */
async function listen(server: HttpServer, place: Place): Promise<Partial<Place>> {
  const { port, host, unix } = place;
  const link = findDevLink();
  if (link?.listen !== undefined && unix === undefined) return link.listen(server, { port, host });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(toListenError(error, place));
    server.once('error', fail);
    server.listen(unix === undefined ? { port, ...(host === undefined ? {} : { host }) } : { path: unix }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return { port: unix === undefined ? (server.address() as AddressInfo).port : 0 };
}

function toListenError(cause: NodeJS.ErrnoException, { port, host, unix }: Place): Error {
  const { code } = cause;
  const isPort = unix === undefined;
  const name = isPort ? `Port ${port}` : `The socket ${unix}`;
  const other = `restTransport({port: ${port === 65_535 ? 3000 : port + 1}})`;
  const inUse = isPort
    ? `choose another port, for example ${other}`
    : 'remove the file, if no program uses it any more';
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
  const message = messages[code ?? ''];
  return message === undefined ? cause : Object.assign(new Error(message, { cause }), { code });
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
  const addresses = Object.values(networkInterfaces()).flatMap(
    (each) => each?.filter(({ internal }) => !internal) ?? [],
  );
  const version4 = addresses.filter(({ family }) => family === 'IPv4');
  // One that is local to a link is of use only with the name of an interface.
  const version6 = host === '0.0.0.0' ? [] : addresses.filter(({ address }) => !/^fe[89ab]/i.test(address));
  return (version4.length > 0 ? version4 : version6).map(({ address }) => toUrl({ ...place, host: address }));
}

function isEveryAddress(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}
