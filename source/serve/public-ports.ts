import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import {
  type AddressName,
  type AskedAddress,
  type Connection,
  type OpenPort,
  type OpenPorts,
  toAddressName,
} from './server-message.ts';

export interface PublicPortsOptions {
  /** Takes the first address that a server of capix asks for, in place of its own port. */
  readonly port?: number | undefined;
  /** Takes the first such address, and those that name no host. @default the loopback addresses */
  readonly host?: string | undefined;
  /** A client connects; nobody reads the socket yet. */
  readonly onConnection: (connection: Connection) => void;
}

/** An address that is open, by as many servers as its host has addresses. */
interface OpenedAddress {
  readonly at: OpenPort;
  readonly servers: readonly Server[];
}

export type PublicPorts = ReturnType<typeof openPublicPorts>;

/** The ports that clients use. They stay open while the processes behind them change. */
export function openPublicPorts(options: PublicPortsOptions) {
  const opening = new Map<AddressName, Promise<OpenedAddress>>();
  const opened = new Map<AddressName, OpenedAddress>();
  let first: AddressName | undefined;

  async function openAddress(asked: AskedAddress, name: AddressName): Promise<OpenedAddress> {
    const { isOwn } = asked;
    const onConnection = (socket: Socket): void => {
      // A client that gives up while its connection waits.
      socket.on('error', () => socket.destroy());
      options.onConnection({ address: name, socket, certificate: asked.certificate });
    };
    if (!isOwn) first ??= name;
    const isFirst = first === name;
    const port = (isFirst ? options.port : undefined) ?? asked.port;
    const host = isOwn ? asked.host : ((isFirst ? options.host : undefined) ?? asked.host ?? options.host ?? LOOPBACK);
    try {
      const isLoopback = !isOwn && host === LOOPBACK;
      const servers = isLoopback
        ? await listenAtLoopback(port, onConnection)
        : [await listen({ host, port }, onConnection)];
      const found = toAddress(servers[0]);
      return { at: { host: isOwn || host === undefined ? found.address : host, port: found.port }, servers };
    } catch (error) {
      const cause = error as NodeJS.ErrnoException;
      if (isOwn || !isUnknownHost(error)) throw Object.assign(cause, { isFirst });
      const message = `This machine has no address ${host}. Choose another: capix dev --host 0.0.0.0 is every address.`;
      throw Object.assign(new Error(message, { cause }), { code: cause.code, isFirst });
    }
  }

  const close = (name: AddressName): void => {
    opening.delete(name);
    for (const server of opened.get(name)?.servers ?? []) server.close();
    opened.delete(name);
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
      const pending = opening.get(name) ?? openAddress(address, name);
      opening.set(name, pending);
      try {
        const found = await pending;
        // Unless it was closed meanwhile.
        if (opening.get(name) === pending) opened.set(name, found);
        else for (const server of found.servers) server.close();
        return found.at;
      } catch (error) {
        opening.delete(name);
        throw error;
      }
    },
    /** Closes every address but these. */
    retain: (addresses: ReadonlySet<AddressName>): void => {
      for (const name of opening.keys()) if (!addresses.has(name)) close(name);
    },
    ports: (): OpenPorts => Object.fromEntries([...opened].map(([name, { at }]) => [name, at])),
  };
}

const LOOPBACK = 'localhost';

async function listen({ host, port }: ListenAddress, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return server;
}

/** Listens at both loopback addresses, as clients try either for `localhost`; a machine may have only one of them. */
async function listenAtLoopback(port: number, onConnection: (socket: Socket) => void): Promise<readonly Server[]> {
  const first = await listen({ host: '127.0.0.1', port }, onConnection).catch(ifUnknownHost);
  try {
    const at = { host: '::1', port: first === undefined ? port : toAddress(first).port };
    const second = await listen(at, onConnection).catch(first === undefined ? undefined : ifUnknownHost);
    return [first, second].filter((server) => server !== undefined);
  } catch (error) {
    first?.close();
    // A port that is free at the one may be taken at the other.
    if (port === 0 && first !== undefined) return listenAtLoopback(port, onConnection);
    throw error;
  }
}

/** Whether this machine has no such address, or knows no such name. */
function isUnknownHost(error: unknown): boolean {
  return /^(EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_AGAIN)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

function ifUnknownHost(error: unknown): undefined {
  if (!isUnknownHost(error)) throw error;
}

function toAddress(server: Server | undefined): AddressInfo {
  return server?.address() as AddressInfo;
}
