import { once } from 'node:events';
import type * as Http from 'node:http';
import type * as Https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DevLink, ListenAddress } from '../server/dev-link.ts';
import type { TransportStarted } from '../server/transport.ts';
import { findLastResponse } from './exchange.ts';
import { findUpgrade } from './upgrades.ts';

/** As `require` gives it: an `import` loads the WebSocket of browsers from Node 22 on, 40 ms of CPU in each process. */
export function nodeHttp(): typeof Http {
  return process.getBuiltinModule('node:http');
}

export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}

/** Calls `listener` for each connection that can send requests: for one of TLS, after its handshake. */
export function onConnection(server: Http.Server, listener: (socket: Socket) => void): void {
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', listener);
}

/** A port, 0 for one that is free, of an address, by default of every one; or a socket of Unix. */
interface ListenPlace extends ListenAddress {
  readonly unix?: string | undefined;
  readonly https?: object | undefined;
}

export interface Listener {
  /** The address for people, and those for other machines where it listens at every address of this one. */
  readonly address: Pick<TransportStarted, 'url' | 'networkUrls'>;
  /** Takes no more connections, ends those that are idle, waits at most `graceMs` for the others. */
  readonly close: (graceMs: number) => Promise<void>;
}

/**
 * Starts a server, whose requests go through `runInTurn`. `link` may listen at the port in its place. Rejects with a
 * message that names port or socket, and the `code` of the system.
 */
export async function createListener(
  server: Http.Server,
  wanted: ListenPlace,
  link?: DevLink,
): Promise<Listener> {
  const close = createCloser(server);
  const found = wanted.unix === undefined ? await link?.listen?.(server, wanted) : undefined;
  const place = { ...wanted, ...(found ?? (await listen(server, wanted))) };
  const networkUrls = findNetworkUrls(place);
  return { address: { url: toUrl(place), ...(networkUrls && { networkUrls }) }, close };
}

/** Gives the port: the one of the options, or a free one. */
async function listen(server: Http.Server, place: ListenPlace): Promise<Partial<AddressInfo>> {
  const { port, host, unix } = place;
  const listenOnce = async (): Promise<unknown> => {
    server.listen(unix === undefined ? { port, host } : { path: unix });
    return once(server, 'listening');
  };
  const listenAgain = async (error: NodeJS.ErrnoException): Promise<unknown> => {
    if (unix === undefined || error.code !== 'EADDRINUSE') throw error;
    await removeDeadSocket(unix);
    return listenOnce();
  };
  await listenOnce()
    .catch(listenAgain)
    .catch((error: NodeJS.ErrnoException) => {
      throw toListenError(error, place);
    });
  return unix === undefined ? { port: (server.address() as AddressInfo).port } : {};
}

/** A killed process leaves the file of its socket, which refuses connections. */
async function removeDeadSocket(path: string): Promise<void> {
  const { connect } = process.getBuiltinModule('node:net');
  const { lstat, rm } = process.getBuiltinModule('node:fs/promises');
  // Connections to a file of another kind are refused, too.
  if (!(await lstat(path)).isSocket()) return;
  const caller = connect(path);
  const fault = await once(caller, 'connect').then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  caller.destroy();
  if (fault?.code === 'ECONNREFUSED') await rm(path, { force: true });
}

function toListenError(cause: NodeJS.ErrnoException, { port, host, unix }: ListenPlace): Error {
  const name = unix === undefined ? `Port ${port}` : `The socket ${unix}`;
  const unknown = `This machine has no address ${host}. Choose another host, or leave it out for the default.`;
  const other =
    unix === undefined ? 'choose another port' : 'remove the file, if no program uses it any more';
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${name} is already in use. Stop the program that uses it, or ${other}.`,
    EACCES: `${name} may not be used by this user.`,
    EADDRNOTAVAIL: unknown,
    ENOTFOUND: unknown,
    EAI_AGAIN: unknown,
  };
  const message = messages[cause.code ?? ''];
  return message === undefined
    ? cause
    : Object.assign(new Error(message, { cause }), { code: cause.code });
}

/** The address at which this machine reaches the server: `http://localhost:3000`. */
function toUrl({ host, port, unix, https }: ListenPlace): string {
  if (unix !== undefined) return `unix:${unix}`;
  const protocol = https === undefined ? 'http' : 'https';
  if (isEveryAddress(host)) return `${protocol}://localhost:${port}`;
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The addresses of IPv4 at which other machines reach a server of every address; undefined otherwise. */
function findNetworkUrls(place: ListenPlace): readonly string[] | undefined {
  const { host, unix } = place;
  if (unix !== undefined || !isEveryAddress(host)) return undefined;
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const others = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return others.map(({ address }) => toUrl({ ...place, host: address }));
}

function isEveryAddress(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/** The time that an idle connection stays while a server closes, milliseconds: a request may be on its way to it. */
const QUIET_MS = 50;

/** Prepares a server to be closed, before its first connection. */
function createCloser(server: Http.Server): Listener['close'] {
  const open = new Set<Socket>();
  // One listener for all of them: a connection that stays idle should cost little.
  function forget(this: Socket): void {
    open.delete(this);
  }
  onConnection(server, (socket) => {
    open.add(socket);
    socket.on('close', forget);
  });
  const endIdle = (): void => {
    // Node takes a connection for idle while the rest of its response is on its way.
    const own = [...open].filter((socket) => findUpgrade(socket) === undefined);
    if (own.some(({ writableLength }) => writableLength > 0)) return;
    // Browsers hold connections ready that have sent nothing, which Node does not count as idle.
    for (const socket of own) if (findLastResponse(socket) === undefined) socket.destroy();
    server.closeIdleConnections();
  };
  return async (graceMs) => {
    const closed = once(server, 'close');
    // The method of node:http, the only one on Bun, would end idle connections at once.
    const { Server: NetServer } = await import('node:net');
    const isOfNet = server instanceof NetServer;
    if (isOfNet) NetServer.prototype.close.call(server);
    else (server as Http.Server).close();
    // Timers run before arrived bytes are read, which takes one turn, and one more for a client in this process.
    const endLater = (): unknown => setImmediate(() => setImmediate(() => setImmediate(endIdle)));
    const sweep = setInterval(endLater, Math.min(QUIET_MS, graceMs));
    const cut = (): void => {
      server.closeAllConnections();
      // Node knows nothing any more of those that were upgraded.
      for (const socket of open) socket.destroy();
    };
    const end = setTimeout(cut, graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
    // Stops Node's clock of slow requests.
    if (isOfNet) server.close();
  };
}
