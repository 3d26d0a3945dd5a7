import type { GroupTree } from '../capability/group-tree.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { AnswerMessage } from './answer-call.ts';
import type { Guest, Guests } from './guests.ts';
import type { CallResult } from './invoke-operation.ts';
import type { Logger } from './logger.ts';

declare const OPTIONS: unique symbol;

/**
 * A way in: REST, MCP, or one of your own. The server calls `start`, `open` and `stop`, and may start it again. For the
 * compiler only, `Key` are the keys that its options name, `Ctx` is the context that its own capabilities need, and
 * `Link` are the links that its options make.
 */
export interface Transport<out Key extends string = never, in Ctx = unknown, out Link = never>
  extends Guest {
  readonly [OPTIONS]?: { keys: Key; takesContext: (ctx: Ctx) => void; links: Link };
  /** The name that contexts, hooks and the access log see as `request.transport`. */
  readonly name: string;
  /** The transport's own capabilities, which it makes reachable in place of the application's. */
  readonly capabilities?: GroupTree | undefined;
  /**
   * Listens. `server.start()` calls it, for one transport after the other. Where it cannot listen, or cannot expose a
   * capability, it closes what it has opened and rejects: the server stops those that have started, and rejects too.
   */
  start(app: App): Promise<Partial<TransportStarted>>;
  /** Called once every transport has started, from when on the application takes calls. Must not throw. */
  open?(): void;
  /**
   * Takes no more callers, waits for the calls under way by `app.drain`, and closes. `server.stop()` calls it, of all
   * transports at once, and again where it is called meanwhile, with less patience. Never rejects.
   */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** The application as a transport sees it: `start` gets it, and it is valid until `stop`. */
export interface App {
  /** The capabilities that the transport makes reachable, in the order of declaration. */
  readonly registry: CompiledRegistry;
  /**
   * Runs a call as `invoke` does: context, guards, validation, handler, timeout, hooks and log. Never rejects. Of
   * `reply(…)` the value is its data. A stream is an async iterable: the transport reads it to its end, or leaves it
   * by `return()` or the signal of the call, which holds its resources until then. Before `open`, and once the server
   * stops, it is 503.
   */
  call(call: TransportCall): Promise<CallResult>;
  /**
   * The same for protocols of JSON: sends what the caller gets, and reads a stream no faster than `send`, whose promise
   * it waits for. Once the signal of the call has fired, nothing is sent. Fulfils with the last message. Never rejects.
   */
  answer(call: TransportCall | TextCall, send: (message: AnswerMessage) => unknown): Promise<void>;
  /** Begins what carries several calls of one caller, such as a batch. End it when the last one has its answer. */
  begin(facts?: Omit<TransportCall, 'capability' | 'input' | 'parent' | 'place'>): CallParent;
  /** Lets no more calls begin, and fulfils once none is under way; after `graceMs` it ends the rest by signals. */
  drain(options: { readonly graceMs: number }): Promise<void>;
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
  /** What it is part of, by `app.begin`: it has the headers, the address, the id and the context of that. */
  readonly parent?: CallParent | undefined;
  /** Tells it from the others of its parent, whose idempotency key they share. @default the calls before it */
  readonly place?: string | undefined;
}

/** A call in a message of JSON: `{"id": 1, "capability": "users.getUser", "input": {}}`. */
export interface TextCall extends Omit<TransportCall, 'capability' | 'input'> {
  /** Each message of the answer repeats its `id`, which may be anything. Anything but such a message is 400. */
  readonly text: string;
}

/** Several calls of one caller: they share signal, request id, headers and context, and have one end. */
export interface CallParent {
  /** That of all its calls, in contexts and in the log. */
  readonly requestId: string;
  /** Fires when the caller leaves, and at the end where calls are under way then. */
  readonly signal: AbortSignal;
  /** What its calls have added to the answer, as the `headers` of one call. */
  readonly answerHeaders: CallResult['headers'];
  /** Ends calls under way, and fulfils once what the context holds is released. Hooks learn the status. @default 200 */
  end(options?: { readonly status?: number | undefined }): Promise<void>;
}

/** The facts of a transport that has started; the server prints them, and `server.start()` returns them. */
export interface TransportStarted {
  /** Where it listens; undefined where it has no address. */
  readonly url?: string | undefined;
  /** The addresses for other machines, perhaps none. Missing where it does not listen at every address. */
  readonly networkUrls?: readonly string[] | undefined;
  /** How each capability is reached, in the order to print. @default each by its key */
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

export type AnyTransport = Transport<string, never, unknown>;
