import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import {
  acceptFrom,
  handleOf,
  type ListenHandle,
  WAITING_COUNT,
} from '../patches/intercept-listen.ts';
import type { Direction } from './phase.ts';
import {
  type CodeAddress,
  type Connection,
  isOwnPlace,
  type OpenPort,
  type OpenPorts,
  type PlaceName,
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
  readonly sockets: readonly PublicSocket[];
}

interface Place {
  readonly opening: Promise<Opened>;
  opened?: Opened;
}

/** The ports that clients use. They stay open while the processes behind them change. */
export function openPublicPorts(options: PublicPortsOptions) {
  const places = new Map<PlaceName, Place>();

  const toTarget = ({ host, port }: ListenAddress, isFirst: boolean) => ({
    port: (isFirst ? options.port : undefined) ?? port,
    host: (isFirst ? options.host : undefined) ?? host ?? options.host ?? LOOPBACK,
  });

  const close = (place: PlaceName): void => {
    for (const socket of places.get(place)?.opened?.sockets ?? []) socket.close();
    places.delete(place);
  };

  const listenAt = async (place: PlaceName, address: CodeAddress): Promise<Opened> => {
    const { certificate } = address;
    const onConnection = (socket: Socket): void => {
      // A client that gives up while its connection waits.
      socket.on('error', () => socket.destroy());
      options.onConnection({ place, socket, certificate });
    };
    const toOpened = (servers: readonly Server[], at = toOpenPort(servers[0])): Opened => ({
      at,
      sockets: servers.map((server) => new PublicSocket(server, onConnection)),
    });
    if (isOwnPlace(place)) return toOpened([await listen(address, onConnection)]);
    const isFirst = isFirstPlace(place);
    const { host, port } = toTarget(address, isFirst);
    try {
      const servers =
        host === LOOPBACK
          ? await listenAtLoopback(port, onConnection)
          : [await listen({ host, port }, onConnection)];
      return toOpened(servers, { host, port: toOpenPort(servers[0]).port });
    } catch (cause) {
      if (!isUnknownHost(cause)) throw Object.assign(cause as Error, { isFirst });
      const message = `This machine has no address ${host}. Choose another: capix dev --host 0.0.0.0 is every address.`;
      const { code } = cause as NodeJS.ErrnoException;
      throw Object.assign(new Error(message, { cause }), { code, isFirst });
    }
  };

  return {
    close,
    /** `isFirst`: whether it is the first address that a process of the server asks for, which the options replace. */
    toPlace: (address: CodeAddress, isFirst: boolean): PlaceName => {
      if (address.isOwn) return toAddressName(address);
      const { host, port } = toTarget(address, isFirst);
      return `${isFirst ? FIRST : ''}${host}:${port}`;
    },
    /** @throws NodeJS.ErrnoException with `isFirst`: whether `port` would replace it */
    open: async (name: PlaceName, address: CodeAddress): Promise<OpenPort> => {
      const place: Place = places.get(name) ?? { opening: listenAt(name, address) };
      places.set(name, place);
      try {
        const opened = await place.opening;
        // Unless it was closed meanwhile.
        if (places.get(name) === place) place.opened = opened;
        else for (const socket of opened.sockets) socket.close();
        return opened.at;
      } catch (error) {
        // Unless it was opened anew meanwhile.
        if (places.get(name) === place) places.delete(name);
        throw error;
      }
    },
    /**
     * Decides anew who accepts the connections of each place: always this process where the code has opened the port by
     * itself, as it may close it at any time, and open it again.
     */
    direct: (toDirection: (place: PlaceName) => Direction<Acceptor>): void => {
      for (const [place, { opened }] of places)
        if (!isOwnPlace(place))
          for (const socket of opened?.sockets ?? []) socket.direct(place, toDirection(place));
    },
    /** A process accepts at the socket with this id. */
    hold: (id: number, by: Acceptor, handle: ListenHandle): void => {
      const sockets = [...places.values()].flatMap(({ opened }) => opened?.sockets ?? []);
      const socket = sockets.find((each) => each.id === id);
      if (socket === undefined) handle.close();
      else socket.hold(by, handle);
    },
    /** Closes all other places. */
    retain: (retained: { has(place: PlaceName): boolean }): void => {
      for (const place of places.keys()) if (!retained.has(place)) close(place);
    },
    ports: (): OpenPorts =>
      Object.fromEntries(
        [...places].flatMap(([name, { opened }]) => (opened ? [[name, opened.at]] : [])),
      ),
  };
}

/** Before the name of the place that the options of the command replace. */
const FIRST = 'first ';

function isFirstPlace(place: PlaceName): boolean {
  return place.startsWith(FIRST);
}

const LOOPBACK = 'localhost';

async function listen(
  { host, port }: ListenAddress,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, onConnection).listen({
    host,
    port,
    backlog: WAITING_COUNT,
  });
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

/** A process that may accept the connections of a socket. */
interface Acceptor {
  /** Has it accept, and give the socket back once it does. `id`: of the socket. */
  accept(place: PlaceName, id: number, handle: ListenHandle): void;
}

let lastId = 0;

/**
 * A listening socket of the supervisor. The process that answers accepts its connections, many in one turn. While no
 * process may answer, they wait in the system; and where none will, this process accepts them.
 */
class PublicSocket {
  readonly id = ++lastId;
  readonly #onConnection: (socket: Socket) => void;
  #state:
    | { readonly kind: 'accepting'; readonly server: Server }
    /** Open here, too, as the process that accepts may end. */
    | { readonly kind: 'holding'; readonly handle: ListenHandle }
    | { readonly kind: 'closed' };
  /** The process that accepts, or that has to. */
  #acceptor: Acceptor | undefined;

  constructor(server: Server, onConnection: (socket: Socket) => void) {
    this.#state = { kind: 'accepting', server };
    this.#onConnection = onConnection;
  }

  direct(place: PlaceName, direction: Direction<Acceptor>): void {
    const acceptor = direction.kind === 'to' ? direction.runner : undefined;
    const isOther = acceptor !== this.#acceptor;
    this.#acceptor = acceptor;
    const handle = this.#handle;
    if (isOther && handle !== undefined) acceptor?.accept(place, this.id, handle);
    if (direction.kind === 'refuse') this.#acceptHere();
  }

  /** A process accepts now. `handle`: the socket, which stays open with it while nobody accepts here. */
  hold(by: Acceptor, handle: ListenHandle): void {
    if (this.#acceptor !== by || this.#state.kind === 'closed') return handle.close();
    this.#closeHandle();
    this.#state = { kind: 'holding', handle };
  }

  close(): void {
    this.#closeHandle();
    this.#state = { kind: 'closed' };
  }

  get #handle(): ListenHandle | undefined {
    if (this.#state.kind === 'accepting') return handleOf(this.#state.server);
    return this.#state.kind === 'holding' ? this.#state.handle : undefined;
  }

  #acceptHere(): void {
    if (this.#state.kind !== 'holding') return;
    const server = acceptFrom(this.#state.handle, { pauseOnConnect: true }, this.#onConnection);
    this.#state = { kind: 'accepting', server };
  }

  #closeHandle(): void {
    if (this.#state.kind === 'accepting') this.#state.server.close();
    if (this.#state.kind === 'holding') this.#state.handle.close();
  }
}
