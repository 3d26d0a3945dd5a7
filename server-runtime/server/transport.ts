import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GroupTree } from '../capability/group-tree.ts';
import type { Outcome } from '../errors/failure.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Guests, HostFacts } from './guests.ts';
import type { Logger } from './logger.ts';

declare const OVERRIDES: unique symbol;
declare const CONTEXTS: unique symbol;

/**
 * A way in: REST, MCP, or one of your own. The server calls `start`, `open` and `stop`, and may start it again. For the
 * compiler only, `Key` are the keys that its options name, and `Ctx` is the context that its own capabilities need.
 */
export interface Transport<out Key extends string = never, in Ctx = unknown> {
  readonly [OVERRIDES]?: Key;
  readonly [CONTEXTS]?: (ctx: Ctx) => void;
  /** The name that contexts, hooks and the access log see as `request.transport`. */
  readonly name: string;
  /** The transport's own capabilities, which it makes reachable in place of the application's. */
  readonly capabilities?: GroupTree | undefined;
  /**
   * Listens. `server.start()` calls it, for one transport after the other. Where it cannot listen, or cannot expose a
   * capability, it closes what it has opened and rejects: the server stops those that have started, and rejects too.
   */
  start(app: App): Promise<TransportStarted>;
  /** Called once every transport has started; until then, refuse all requests. Must not throw. */
  open?(): void;
  /**
   * Refuses new calls, waits at most `graceMs` milliseconds for those under way, ends the rest by their signals, and
   * closes. `server.stop()` calls it, of all transports at once, and again where it is called meanwhile. Never rejects.
   */
  stop(options: { readonly graceMs: number }): Promise<void>;
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
   * Answers a request of a host or of `toNodeHandler`, and returns true; returns false for another transport's request,
   * which it leaves untouched. An error that it throws is logged and answered with 500. It must answer later errors
   * itself.
   */
  take?(request: IncomingMessage, response: ServerResponse, host?: HostFacts): boolean;
  /** The same for `toFetchHandler`; undefined for a request that is not its own. A rejection is logged, and 500. */
  fetch?(request: Request, info: FetchInfo): Promise<Response> | undefined;
  /**
   * Claims an upgrade of a host, such as that of a WebSocket: returns the function that takes its socket, or undefined
   * for the upgrade of another transport. `stop` ends the sockets that it has taken; the host closes those that are
   * open after `graceMs`.
   */
  upgrade?(request: IncomingMessage, host?: HostFacts): TakeSocket | undefined;
}

/** The application as a transport sees it: `start` gets it, and it is valid until `stop`. */
export interface App {
  /** The capabilities that the transport makes reachable, in the order of declaration. */
  readonly registry: CompiledRegistry;
  /**
   * Runs a call as `invoke` does: context, guards, validation, handler, timeout, hooks and log. Never rejects. Of
   * `reply(…)` the value is its data. A stream is an async iterable: the transport reads it to its end, or leaves it
   * by `return()` or the signal of the call, which holds its resources until then.
   */
  call(call: TransportCall): Promise<Outcome>;
  /** Unexpected errors of a call or its stream are in the log already. A transport logs here what it cannot answer. */
  readonly logger: Logger;
  /** The transports without a port, which a host asks before it answers a request or an upgrade itself. */
  readonly guests: Guests;
}

/** A call that came in over a transport. */
export interface TransportCall {
  /** The key of the capability: `users.getUser`. One that does not exist is 404. */
  readonly capability: string;
  /** Validated as it is, once the guards have let the caller pass: nothing is coerced. @default {} */
  readonly input?: unknown;
  /** For the context builder; names in any case. A well-formed `x-request-id` becomes the id of the request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
  /** Fire it when the caller leaves: the call ends with 503, `ctx.signal` fires, and a stream that it gave ends. */
  readonly signal?: AbortSignal | undefined;
}

/** The facts of a transport that has started; the server prints them, and `server.start()` returns them. */
export interface TransportStarted {
  /** Where it listens; undefined where it has no address. */
  readonly url?: string | undefined;
  /** The addresses for other machines, perhaps none. Missing where it does not listen at every address. */
  readonly networkUrls?: readonly string[] | undefined;
  /** How each capability is reached, in the order to print. */
  readonly routes: readonly ServedRoute[];
  /** Lines for the log, below the list of routes. */
  readonly notes?: readonly string[] | undefined;
}

/** One line of the printed routes: `GET  /users/:id  users.getUser`. */
export interface ServedRoute {
  /** The verb: that of HTTP, or a word of the transport, such as `TOOL`. */
  readonly method: string;
  /** The name by which callers reach it: a path, the name of a queue or of a tool. */
  readonly path: string;
  /** The key of the capability. */
  readonly key: string;
}

/** Takes the socket of an upgrade, with the first bytes that came behind its head. It owns the socket from then on. */
export type TakeSocket = (socket: Duplex, head: Buffer) => void;

/** The facts about a request that a `Request` does not hold. */
export interface FetchInfo {
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
}

export type AnyTransport = Transport<string, never>;
