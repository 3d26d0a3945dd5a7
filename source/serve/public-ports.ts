import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type AddressName, type AskedAddress, type OpenPort, type OpenPorts, toAddressName } from './server-message.ts';

export interface PublicPortsOptions {
  /** Takes the first address that is asked for, in place of its own port. */
  readonly port?: number | undefined;
  /** Takes the first address that is asked for, and those that name no host. */
  readonly host?: string | undefined;
  /** A socket that nobody reads yet. */
  readonly onConnection: (address: AddressName, socket: Socket) => void;
}

/** An address that is open, by as many servers as its host has addresses. */
interface OpenedAddress extends OpenPort {
  readonly servers: readonly Server[];
}

export type PublicPorts = ReturnType<typeof openPublicPorts>;

/** The ports that clients use. They stay open while the processes behind them change. */
export function openPublicPorts(options: PublicPortsOptions) {
  const opening = new Map<AddressName, Promise<OpenedAddress>>();
  const ports = new Map<AddressName, OpenPort>();
  let first: AddressName | undefined;
  let closing: Promise<unknown> = Promise.resolve();

  async function listen(name: AddressName, address: AskedAddress): Promise<OpenedAddress> {
    if (address.isOwn) return listenAsAsked(name, address);
    first ??= name;
    const isFirst = first === name;
    const host = (isFirst ? options.host : undefined) ?? address.host ?? options.host ?? LOOPBACK;
    const port = (isFirst ? options.port : undefined) ?? address.port;
    const servers = await listenAt({ host, port }, (socket) => options.onConnection(name, socket)).catch(
      (error: Error) => Promise.reject(Object.assign(error, { isFirst })),
    );
    const opened = { host, port: servers[0] === undefined ? port : toAddress(servers[0]).port };
    ports.set(name, opened);
    return { ...opened, servers };
  }

  async function listenAsAsked(name: AddressName, { host, port }: AskedAddress): Promise<OpenedAddress> {
    // The same port may have been closed a moment ago.
    await closing;
    const server = await listenOnce({ host, port, isOwn: true }, (socket) => options.onConnection(name, socket));
    const opened = { host: toAddress(server).address, port };
    ports.set(name, opened);
    return { ...opened, servers: [server] };
  }

  const close = (name: AddressName): Promise<void> => {
    const pending = opening.get(name);
    opening.delete(name);
    ports.delete(name);
    const closed = Promise.resolve(pending?.catch(() => undefined)).then((opened) => {
      for (const server of opened?.servers ?? []) server.close();
    });
    closing = Promise.all([closing, closed]);
    return closed;
  };

  return {
    close,
    /**
     * Opens an address, where it is not open yet. An address that asks for any port (0) keeps the one that it got; one
     * that names no host is open for this machine only.
     *
     * @throws NodeJS.ErrnoException with `isFirst`: whether `port` would replace it
     */
    open: async (address: AskedAddress): Promise<OpenPort> => {
      const name = toAddressName(address);
      const pending = opening.get(name) ?? listen(name, address);
      opening.set(name, pending);
      try {
        const { host, port } = await pending;
        return { host, port };
      } catch (error) {
        opening.delete(name);
        throw error;
      }
    },
    /** Closes every address but these. */
    retain: async (addresses: ReadonlySet<AddressName>): Promise<void> => {
      await Promise.all([...opening.keys()].filter((name) => !addresses.has(name)).map(close));
    },
    ports: (): OpenPorts => Object.fromEntries(ports),
  };
}

const LOOPBACK = 'localhost';
/** Clients try either for `localhost`; a machine may have only one of them. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];
/** The number of times that a port is asked for that is free at both. */
const MAX_TRIES = 10;

async function listenAt({ host, port }: OpenPort, onConnection: (socket: Socket) => void): Promise<readonly Server[]> {
  if (host !== LOOPBACK) return [await listenOnce({ host, port }, onConnection)];
  for (let tries = 1; ; tries++) {
    const servers: Server[] = [];
    let reason: Error | undefined;
    for (const address of LOOPBACK_ADDRESSES) {
      const at = { host: address, port: servers[0] === undefined ? port : toAddress(servers[0]).port };
      await listenOnce(at, onConnection).then(
        (server) => servers.push(server),
        (error: Error) => {
          if (reason === undefined || !isUnknownHost(error)) reason = error;
        },
      );
    }
    if (reason === undefined || (servers.length > 0 && isUnknownHost(reason))) return servers;
    for (const server of servers) server.close();
    const isTaken = (reason as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isTaken || port !== 0 || tries === MAX_TRIES) throw reason;
  }
}

async function listenOnce(address: AskedAddress, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(isUnknownHost(error) ? toHostError(address, error) : error));
    server.listen({ host: address.host, port: address.port }, resolve);
  });
  return server;
}

/** Whether this machine has no such address, or knows no such name. */
function isUnknownHost(error: unknown): boolean {
  return /^(EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_AGAIN)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

function toHostError({ host, isOwn = false }: AskedAddress, cause: NodeJS.ErrnoException): Error {
  if (isOwn) return cause;
  const message = `This machine has no address ${host}. Choose another: capix dev --host 0.0.0.0 is every address.`;
  return Object.assign(new Error(message, { cause }), { code: cause.code });
}

function toAddress(server: Server): AddressInfo {
  return server.address() as AddressInfo;
}
