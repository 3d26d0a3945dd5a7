import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GroupTree } from '../capability/group-tree.ts';
import type { SecurityScheme } from '../capability/guard.ts';
import type { Application } from './application.ts';
import type { Logger } from './logger.ts';
import type { AnyTransport } from './transport.ts';

/** What a transport has that answers on the port of another one, and the other one, which asks it. */
export interface Guest {
  /**
   * Whether it listens for HTTP and asks `app.guests` before it answers there; the guests do not ask it.
   * @default false
   */
  readonly isHost?: boolean | undefined;
  /**
   * Whether it has no port of its own, so that a host of the server, `toNodeHandler` or `toFetchHandler` must answer
   * for it: `server.start()` rejects where there is none. @default false
   */
  readonly needsHost?: boolean | undefined;
  /**
   * Answers a request of a host or of `toNodeHandler`, and gives true; gives false, untouched, for one that is not its
   * own. What it throws is logged and answered with 500. What fails later is its own to answer.
   */
  take?(request: IncomingMessage, response: ServerResponse, host?: HostFacts): boolean;
  /** The same for `toFetchHandler`; undefined for a request that is not its own. A rejection is logged, and 500. */
  fetch?(request: Request, info: FetchInfo): Promise<Response> | undefined;
  /**
   * Claims an upgrade of a host, such as that of a WebSocket: gives what takes its socket, and undefined for one that
   * is not its own. `stop` ends the sockets that it has taken; what is open after `graceMs` is closed.
   */
  upgrade?(request: IncomingMessage, host?: HostFacts): TakeSocket | undefined;
  /** The connections at which it takes calls, for the OpenAPI document of its host. `prefix` is that of the host. */
  describe?(prefix: string): readonly WebSocketObject[];
}

/** A path at which calls are messages of one connection, as the extension `x-websockets` of a document names it. */
export interface WebSocketObject {
  /** With the prefix: `/api/_call`. */
  readonly path: string;
  /** The subprotocols that a client may ask for; without one it gets the first. */
  readonly protocols: readonly string[];
  /** The credentials that the guards of connections read. */
  readonly security: readonly SecurityScheme[];
  /** The limits that callers notice, by name; a limit that is not there is none. Times are milliseconds. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Takes the socket of an upgrade, with the first bytes that came behind its head. It owns the socket from then on. */
export type TakeSocket = (socket: Duplex, head: Buffer) => void;

/** The facts about a request that a `Request` does not hold. */
export interface FetchInfo {
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
}

/** What a host knows of the requests and upgrades that it hands to transports without a port. */
export interface HostFacts {
  /** Before every path of the host: `/api`; empty for none. */
  readonly prefix: string;
  /** Whether the page that asks for an upgrade may, which browsers leave to servers; of no page it is true. */
  readonly admitsPage: (request: IncomingMessage) => boolean;
  /** The address of the caller, behind the proxies that the host trusts. */
  readonly findAddress: (request: IncomingMessage) => string | undefined;
}

/**
 * The transports of a server without a port of their own. The transport that listens calls these functions before it
 * answers itself. Each is undefined where no transport takes such requests, so that it costs nothing then. None throws.
 */
export interface Guests {
  /** Whether a guest has taken this request and answers it; one that throws is logged, and answered with 500. */
  readonly take:
    | ((request: IncomingMessage, response: ServerResponse, host?: HostFacts) => boolean)
    | undefined;
  /** The response of the guest that takes this request of the fetch API; undefined where none does. */
  readonly fetch:
    | ((request: Request, info: FetchInfo) => Promise<Response> | undefined)
    | undefined;
  /**
   * Returns the function that takes the socket of this upgrade; undefined where no guest does, and it is a plain
   * request.
   */
  readonly upgrade:
    | ((request: IncomingMessage, host?: HostFacts) => TakeSocket | undefined)
    | undefined;
  /** The connections of all guests. */
  readonly describe: (prefix: string) => readonly WebSocketObject[];
}

/** On the guests of a server: the transports themselves. */
const MEMBERS: unique symbol = Symbol('members');

/** A transport that does not listen, with the application that it serves. */
interface GuestMember {
  readonly transport: AnyTransport;
  readonly toApp: () => Application;
}

/** The transports that a host answers for. */
export function membersOf(guests: Guests): readonly GuestMember[] {
  return (guests as { readonly [MEMBERS]?: readonly GuestMember[] })[MEMBERS] ?? [];
}

/** `appFor` gives the application with the capabilities of a transport. */
export function createGuests(
  transports: readonly AnyTransport[],
  logger: Logger,
  appFor: (own: GroupTree | undefined) => Application,
): Guests {
  const others = transports.filter(({ isHost }) => isHost !== true);
  const tell = (name: string, error: unknown): void =>
    logger.error(`[capix] The transport ${name} failed to take a request`, { error });

  const takers = others.filter(({ take }) => take !== undefined);
  const take: Guests['take'] = (request, response, host) =>
    takers.some((each) => {
      try {
        return each.take?.(request, response, host) === true;
      } catch (error) {
        tell(each.name, error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
        return true;
      }
    });

  const fetchers = others.filter(({ fetch }) => fetch !== undefined);
  const fetch: Guests['fetch'] = (request, info) => {
    for (const each of fetchers) {
      const response = findResponse(each, request, info);
      if (response === undefined) continue;
      return response.catch((error: unknown) => {
        tell(each.name, error);
        return new Response(null, { status: 500 });
      });
    }
    return undefined;
  };

  const upgraders = others.filter(({ upgrade }) => upgrade !== undefined);
  const upgrade: Guests['upgrade'] = (request, host) => {
    for (const each of upgraders) {
      try {
        const taker = each.upgrade?.(request, host);
        if (taker !== undefined) return toSafeTaker(taker, (error) => tell(each.name, error));
      } catch (error) {
        tell(each.name, error);
      }
    }
    return undefined;
  };

  const members = others.map((transport) => ({
    transport,
    toApp: () => appFor(transport.capabilities),
  }));
  const guests: Guests & { readonly [MEMBERS]: readonly GuestMember[] } = {
    [MEMBERS]: members,
    take: takers.length > 0 ? take : undefined,
    fetch: fetchers.length > 0 ? fetch : undefined,
    upgrade: upgraders.length > 0 ? upgrade : undefined,
    describe: (prefix) => others.flatMap((each) => each.describe?.(prefix) ?? []),
  };
  return guests;
}

/** A transport may throw in the turn in which it is called, or later: both become a promise that rejects. */
function findResponse(
  transport: AnyTransport,
  request: Request,
  info: FetchInfo,
): Promise<Response> | undefined {
  try {
    return transport.fetch?.(request, info);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/** A socket whose taker throws has no owner, and is closed. */
function toSafeTaker(taker: TakeSocket, onFault: (error: unknown) => void): TakeSocket {
  return (socket, head) => {
    try {
      taker(socket, head);
    } catch (error) {
      onFault(error);
      socket.destroy();
    }
  };
}

/** @throws Error where transports have no port, no transport listens for them, and no handler of the server was made */
export function expectHost(transports: readonly AnyTransport[], hasHandler: boolean): void {
  if (hasHandler || transports.some(({ isHost }) => isHost === true)) return;
  const names = transports.filter(({ needsHost }) => needsHost === true).map(({ name }) => name);
  if (names.length === 0) return;
  const isOne = names.length === 1;
  const its = isOne ? 'its' : 'their';
  const who = isOne
    ? `The transport ${names[0]} has`
    : `The transports ${names.join(' and ')} have`;
  const them = isOne ? 'it' : 'them';
  throw new Error(
    `${who} no port of ${its} own, and none of this server listens for ${them}. ` +
      'Add restTransport() to its transports, or make toNodeHandler(server) or toFetchHandler(server) before start().',
  );
}
