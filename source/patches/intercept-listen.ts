import cluster from 'node:cluster';
import { type AddressInfo, createServer, isIPv6, Server, type Socket } from 'node:net';

export interface ListenInterceptor {
  /** A server is to have the connections of a port that another process has open. `port` gets what becomes of it. */
  readonly share: (server: Server, address: SharedAddress, port: SharedPort) => PortHold;
  /** A server listens by itself: at a TCP port, or where that is missing at a socket file. `isAny`: at a free port. */
  readonly onListening: (server: Server, isAny: boolean) => void;
}

export interface SharedAddress {
  readonly port: number;
  readonly host?: string | undefined;
}

export interface SharedPort {
  readonly opened: (at: { readonly host: string; readonly port: number }) => void;
  readonly refused: (error: Error) => void;
}

export interface PortHold {
  readonly ref: () => void;
  readonly unref: () => void;
  readonly close: () => void;
}

/** The parts of a server that Node's own `cluster` sets, too, where the process that has the port open is another. */
interface SharingServer {
  _handle: object | null;
  readonly _listen2: (
    ...address: readonly [address: null, port: number, addressType: number]
  ) => void;
}

/** A listening socket as processes pass it to one another. Each has a copy, and accepts by it or only holds it open. */
export interface ListenHandle {
  readonly close: () => void;
}

/** The number of connections that the system holds while no process accepts them, where it allows so many. */
export const WAITING_COUNT = 4_096;

/** Before it is intercepted: the code of the project does not open what is shared. */
const nodeListen = Server.prototype.listen as (...args: readonly unknown[]) => Server;

/** The socket of a server that listens; the types of Node leave out that a server has it. */
export function handleOf(server: Server): ListenHandle {
  return (server as unknown as { readonly _handle: ListenHandle })._handle;
}

/** Accepts the connections of a listening socket, which is closed with the server that is the answer. */
export function acceptFrom(
  handle: ListenHandle,
  options: Parameters<typeof createServer>[0],
  onConnection: (socket: Socket) => void,
): Server {
  const server = createServer(options, onConnection);
  nodeListen.call(server, handle, WAITING_COUNT);
  return server;
}

/**
 * Lets servers of this process share TCP ports with the process before and after it: another one opens the port. Socket
 * files, free ports (0), and servers that ask for more than port and host listen by themselves.
 */
export function interceptListen({ share, onListening }: ListenInterceptor): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function intercepted(this: Server, ...args: unknown[]): Server {
    const address = toSharedAddress(args);
    if (address === undefined || address.port === 0 || this.listening || hasWorkers()) {
      this.once('listening', () => onListening(this, address?.port === 0));
      return (listen as (...args: unknown[]) => Server).apply(this, args);
    }
    const callback = args.at(-1);
    if (typeof callback === 'function') this.once('listening', callback as () => void);
    shareWith(this, address, (port) => share(this, address, port));
    return this;
  } as typeof listen;
}

/** Node shares the ports of a cluster with its workers itself. */
function hasWorkers(): boolean {
  return Object.keys(cluster.workers ?? {}).length > 0;
}

/**
 * The address by the arguments of `listen`; undefined where it is none, or where the arguments want more than an
 * address.
 */
function toSharedAddress([first, second]: readonly unknown[]): SharedAddress | undefined {
  const options =
    typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const asksForMore = Object.entries(options).some(
    ([name, value]) => value && OTHER_OPTIONS.test(name),
  );
  if (asksForMore || !('port' in options)) return undefined;
  const { port, host } = options as { readonly port?: unknown; readonly host?: unknown };
  const isCallback = typeof port === 'function';
  const number = port === undefined || port === null || isCallback ? 0 : toPort(port);
  if (number === undefined) return undefined;
  return { port: number, host: typeof host === 'string' && host !== '' ? host : undefined };
}

const OTHER_OPTIONS =
  /^(?:_?handle|fd|path|exclusive|reusePort|ipv6Only|readableAll|writableAll|signal)$/;

/** Text is a port where it is a number, else the path of a socket. */
function toPort(port: unknown): number | undefined {
  const parsed = /^\d+$/.test(String(port)) ? Number(port) : -1;
  const number = typeof port === 'number' ? port : parsed;
  return Number.isInteger(number) && number >= 0 && number <= 65_535 ? number : undefined;
}

export function shareWith(
  server: Server,
  address: SharedAddress,
  share: (port: SharedPort) => PortHold,
): void {
  // Members of Node's servers that its types leave out; `docs/internals/patches.md` names them.
  const sharing = server as unknown as SharingServer;
  let at: { readonly host: string; readonly port: number } = {
    host: address.host ?? '::',
    port: address.port,
  };
  const handle = {
    listen: () => 0,
    ref: () => hold.ref(),
    unref: () => hold.unref(),
    close: (done?: () => void) => {
      hold.close();
      if (done !== undefined) process.nextTick(done);
    },
    getsockname: (name: Partial<AddressInfo>) => {
      Object.assign(name, {
        address: at.host,
        family: isIPv6(at.host) ? 'IPv6' : 'IPv4',
        port: at.port,
      });
      return 0;
    },
  };
  sharing._handle = handle;
  const hold = share({
    opened: (opened) => {
      at = opened;
      // Node asks for the hold even where the port is open already.
      queueMicrotask(() => {
        if (sharing._handle === handle) sharing._listen2(null, at.port, 4);
      });
    },
    refused: (error) => {
      if (sharing._handle !== handle) return;
      sharing._handle = null;
      hold.close();
      process.nextTick(() => server.emit('error', error));
    },
  });
}

/** Gives a server a connection that arrived at a shared port. The server counts it, and closes once it has ended. */
export function takeConnection(server: Server, socket: Socket): void {
  socket.setNoDelay(true);
  // Node counts the connections that it accepts itself here, and its types leave the member out.
  (server as unknown as { _connections: number })._connections += 1;
  Object.assign(socket, { _server: server, server });
  server.emit('connection', socket);
}
