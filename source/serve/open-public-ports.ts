import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import { type AddressName, type OpenPorts, toAddressName } from './dev-messages.ts';

/** The ports that clients use. They stay open while the processes behind them change. */
export interface PublicPorts {
  /**
   * Opens an address, where it is not open yet; resolves with the port, which stays the same for an address that asks for any (0).
   *
   * @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES`
   */
  readonly open: (address: ListenAddress) => Promise<number>;
  /** Closes every address but these. */
  readonly retain: (addresses: ReadonlySet<AddressName>) => Promise<void>;
  readonly ports: () => OpenPorts;
}

export interface PublicPortsOptions {
  /** Takes the first address that is asked for, in place of its own port. */
  readonly port?: number | undefined;
  /** A socket that nobody reads yet. */
  readonly onConnection: (address: AddressName, socket: Socket) => void;
}

export function openPublicPorts({ port: wantedPort, onConnection }: PublicPortsOptions): PublicPorts {
  const opening = new Map<AddressName, Promise<Server>>();
  const ports = new Map<AddressName, number>();
  let replaced: AddressName | undefined;

  async function listen(name: AddressName, address: ListenAddress): Promise<Server> {
    if (wantedPort !== undefined) replaced ??= name;
    const server = createServer({ pauseOnConnect: true }, (socket) => onConnection(name, socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ ...address, port: replaced === name ? wantedPort : address.port }, resolve);
    });
    const bound = server.address();
    ports.set(name, typeof bound === 'object' && bound !== null ? bound.port : address.port);
    return server;
  }

  return {
    open: async (address) => {
      const name = toAddressName(address);
      const pending = opening.get(name) ?? listen(name, address);
      opening.set(name, pending);
      try {
        await pending;
      } catch (error) {
        opening.delete(name);
        throw error;
      }
      return ports.get(name) ?? address.port;
    },
    retain: async (addresses) => {
      for (const [name, pending] of opening) {
        if (addresses.has(name)) continue;
        opening.delete(name);
        ports.delete(name);
        const server = await pending.catch(() => undefined);
        server?.close();
      }
    },
    ports: () => Object.fromEntries(ports),
  };
}

/** Answers connections with 503 while there is no server: `answer(socket, why)`. */
export function createUnavailableAnswer(): (socket: Socket, why: string) => void {
  const reasons = new WeakMap<Socket, string>();
  const server = createHttpServer({ keepAliveTimeout: 1 }, (request, response) => {
    const body = JSON.stringify({
      error: 'ServiceUnavailable',
      message: reasons.get(request.socket) ?? 'The server is not running.',
    });
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      connection: 'close',
    });
    response.end(body);
  });
  return (socket, why) => {
    reasons.set(socket, why);
    server.emit('connection', socket);
    socket.resume();
  };
}
