import { once } from 'node:events';
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

interface Opened {
  readonly at: OpenPort;
  readonly servers: readonly Server[];
}

/** The ports that clients use. They stay open while the processes behind them change. */
export function openPublicPorts(options: PublicPortsOptions) {
  const places = new Map<AddressName, { readonly opening: Promise<Opened>; opened?: Opened }>();
  let first: AddressName | undefined;

  async function openPlace(address: AskedAddress, name: AddressName): Promise<Opened> {
    const { isOwn, certificate } = address;
    const onConnection = (socket: Socket): void => {
      // A client that gives up while its connection waits.
      socket.on('error', () => socket.destroy());
      options.onConnection({ address: name, socket, certificate });
    };
    if (isOwn) {
      const server = await listen(address, onConnection);
      return { at: toOpenPort(server), servers: [server] };
    }
    first ??= name;
    const isFirst = first === name;
    const { port = address.port, host = address.host ?? options.host ?? LOOPBACK } = isFirst
      ? options
      : {};
    try {
      const isLoopback = host === LOOPBACK;
      const servers = isLoopback
        ? await listenAtLoopback(port, onConnection)
        : [await listen({ host, port }, onConnection)];
      return { at: { host, port: toOpenPort(servers[0]).port }, servers };
    } catch (cause) {
      if (!isUnknownHost(cause)) throw Object.assign(cause as Error, { isFirst });
      const message = `This machine has no address ${host}. Choose another: capix dev --host 0.0.0.0 is every address.`;
      throw Object.assign(new Error(message, { cause }), {
        code: (cause as NodeJS.ErrnoException).code,
        isFirst,
      });
    }
  }

  const close = (name: AddressName): void => {
    for (const server of places.get(name)?.opened?.servers ?? []) server.close();
    places.delete(name);
  };

  return {
    close,
    /** @throws NodeJS.ErrnoException with `isFirst`: whether `port` would replace it */
    open: async (address: AskedAddress): Promise<OpenPort> => {
      const name = toAddressName(address);
      const place = places.get(name) ?? { opening: openPlace(address, name) };
      places.set(name, place);
      try {
        const opened = await place.opening;
        // Unless it was closed meanwhile.
        if (places.get(name) === place) place.opened = opened;
        else for (const server of opened.servers) server.close();
        return opened.at;
      } catch (error) {
        places.delete(name);
        throw error;
      }
    },
    retain: (addresses: ReadonlySet<AddressName>): void => {
      for (const name of places.keys()) if (!addresses.has(name)) close(name);
    },
    ports: (): OpenPorts =>
      Object.fromEntries(
        [...places].flatMap(([name, { opened }]) => (opened ? [[name, opened.at]] : [])),
      ),
  };
}

const LOOPBACK = 'localhost';

async function listen(
  { host, port }: ListenAddress,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, onConnection).listen({ host, port });
  await once(server, 'listening');
  return server;
}

/** Listens at both loopback addresses, as clients try either for `localhost`; a machine may have only one of them. */
async function listenAtLoopback(
  port: number,
  onConnection: (socket: Socket) => void,
): Promise<readonly Server[]> {
  const first = await listen({ host: '127.0.0.1', port }, onConnection).catch(ifUnknownHost);
  try {
    const at = { host: '::1', port: first === undefined ? port : toOpenPort(first).port };
    const second = await listen(at, onConnection).catch(first && ifUnknownHost);
    return [first, second].filter((server) => server !== undefined);
  } catch (error) {
    first?.close();
    // A port that is free at the one may be taken at the other.
    if (port === 0 && first !== undefined) return listenAtLoopback(port, onConnection);
    throw error;
  }
}

function isUnknownHost(error: unknown): boolean {
  return /^(EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_AGAIN)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

function ifUnknownHost(error: unknown): undefined {
  if (!isUnknownHost(error)) throw error;
}

function toOpenPort(server: Server | undefined): OpenPort {
  const { address: host, port } = (server?.address() ?? {}) as AddressInfo;
  return { host, port };
}
