import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GroupTree } from '../capability/group-tree.ts';
import type { Outcome } from '../errors/failure.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Guests } from './guests.ts';
import type { Logger } from './logger.ts';

declare const OVERRIDES: unique symbol;
declare const CONTEXTS: unique symbol;

/** A call that came in over a transport. */
export interface Call {
  /** `users.getUser` */
  readonly capability: string;
  /** Validated as it is: nothing is coerced. @default {} */
  readonly input?: unknown;
  /** Given to the context builder; names in any case. `x-request-id` is the id of the request where it is sane. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
  /** Ends the call when it fires, because the caller left, and a stream that the call gave. */
  readonly signal?: AbortSignal | undefined;
}

/** The application as a transport sees it. */
export interface App {
  /** The capabilities that the transport makes reachable, in the order of declaration. */
  readonly registry: CompiledRegistry;
  /** Runs a call as `invoke` does, and tells the hooks. Never rejects. Of `reply(…)` the value is its data. */
  call(call: Call): Promise<Outcome>;
  /** The logger to write to. What cannot be answered belongs there. */
  readonly logger: Logger;
  /** The transports that a host asks before it answers a request or an upgrade itself. */
  readonly guests: Guests;
}

/** Takes the socket of an upgrade, with the first bytes that came behind its head. It owns the socket from then on. */
export type TakeSocket = (socket: Duplex, head: Buffer) => void;

/** The facts about a request that a `Request` does not hold. */
export interface FetchInfo {
  readonly remoteAddress?: string | undefined;
}

export interface ServedRoute {
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

export interface TransportStarted {
  readonly url?: string | undefined;
  /** The addresses for other machines, perhaps none. Missing where it does not listen at every address. */
  readonly networkUrls?: readonly string[] | undefined;
  readonly routes: readonly ServedRoute[];
}

/**
 * A way in: REST, MCP, or one of your own. For the compiler only, `Key` are the keys that its options name, and `Ctx`
 * is the context that its own capabilities need.
 */
export interface Transport<out Key extends string = never, in Ctx = unknown> {
  readonly [OVERRIDES]?: Key;
  readonly [CONTEXTS]?: (ctx: Ctx) => void;
  /** Told to contexts and hooks as `request.transport`. */
  readonly name: string;
  /** The transport's own capabilities, in place of the application's. */
  readonly capabilities?: GroupTree | undefined;
  /** Rejects, without side effect, when it cannot expose these capabilities or cannot listen. */
  start(app: App): Promise<TransportStarted>;
  /** Called once every transport of the server has started; one that listens before refuses what comes until then. */
  open?(): void;
  /** Whether it listens at a port, and asks `app.guests` before it answers there. @default false */
  readonly isHost?: boolean | undefined;
  /**
   * Whether it has no port of its own, so that a host of the server, `toNodeHandler` or `toFetchHandler` must answer
   * for it: `start()` of a server without any of them rejects. @default false
   */
  readonly needsHost?: boolean | undefined;
  /** Takes a request of a host or of `toNodeHandler`, where it is for this transport; gives false where it is not. */
  take?(request: IncomingMessage, response: ServerResponse): boolean;
  /** The same for `toFetchHandler`: gives undefined for a request that is not for this transport. */
  fetch?(request: Request, info: FetchInfo): Promise<Response> | undefined;
  /**
   * Claims an upgrade, such as that of a WebSocket: gives what takes its socket, and undefined for one that is not for
   * this transport. It ends the sockets that it has taken when it is stopped; what is open after `graceMs` is closed.
   */
  upgrade?(request: IncomingMessage): TakeSocket | undefined;
  /** Refuses new requests, waits at most `graceMs` milliseconds for those under way, then closes. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

export type AnyTransport = Transport<string, never>;

export function toStartLines(running: readonly TransportStarted[]): readonly string[] {
  const routes = running.flatMap((transport) => transport.routes);
  return [
    ...running.flatMap(({ url }) =>
      url === undefined ? [] : [`[capix] Server started on ${url}`],
    ),
    ...(routes.length === 0 ? [] : ['[capix] Routes:']),
    ...toRouteLines(routes).map((line) => `  ${line}`),
    ...running.flatMap(({ networkUrls: urls }) => {
      const all = urls === undefined || urls.length === 0 ? '' : `: ${urls.join(', ')}`;
      return urls === undefined
        ? []
        : [`[capix] It listens at every address of this machine${all}`];
    }),
  ];
}

/** `GET   /items/:id  items.getItem`, in columns two spaces apart. */
export function toRouteLines(routes: readonly ServedRoute[]): readonly string[] {
  const methodWidth = Math.max(4, ...routes.map(({ method }) => method.length));
  const pathWidth = Math.max(0, ...routes.map(({ path }) => path.length));
  return routes.map(
    ({ method, path, key }) => `${method.padEnd(methodWidth)}  ${path.padEnd(pathWidth)}  ${key}`,
  );
}
