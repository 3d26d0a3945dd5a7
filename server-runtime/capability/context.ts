import type { IncomingHttpHeaders } from 'node:http';
import { brand } from '../errors/brand.ts';
import { expectFunction } from '../errors/expect-options.ts';
import type { RunHere } from '../resources/async-context.ts';
import type { Resources } from '../resources/resources.ts';
import type { OutputOf, Schema } from '../schema/schema.ts';
import type { CheckedData } from './answer-step.ts';
import type { SuccessQueue } from './success-queue.ts';
import type { CallMarks } from './trace.ts';

const CONTEXT: unique symbol = Symbol.for('capix.context');
declare const BUILDS: unique symbol;

export interface ContextRequest {
  /** The way in: `rest`, `mcp`, or `invoke` for a call from inside the process. */
  readonly transport: string;
  readonly method: string;
  /** The path without the query, undecoded; where there is no route, the key of the capability. */
  readonly path: string;
  readonly url: string;
  /** The route that takes the request: `/users/:id`; undefined before one has matched, and outside HTTP. */
  readonly route?: string | undefined;
  /** Names are in lower case. A header that was sent several times is a list where Node gives it as one. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly remoteAddress: string | undefined;
  /** The caller as `authorize` of `mcpTransport` gave it; undefined elsewhere. */
  readonly identity?: unknown;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The logger of the server, whose lines have the id of the request and, once it is found, the capability. */
  readonly log: CallLog;
  /** The connection that carries many calls of one caller, such as a WebSocket; undefined elsewhere. */
  readonly connection?: CallerConnection | undefined;
  /** The bytes of a JSON body, for checking a signature; undefined for other bodies and outside HTTP. */
  readonly rawBody?: Uint8Array | undefined;
}

/** One and the same object for all calls of a connection, so that it may be the key of a `WeakMap`. */
export interface CallerConnection {
  readonly id: string;
  /** Ends the connection, as when its user is logged out: the client learns the reason, and stays away. */
  close(reason?: string): void;
}

/** Writes lines of one call to the logger of the server: `ctx.log.info('Booked', { bookingId })`. Never throws. */
export interface CallLog {
  /** Written where the logger has this level. */
  debug(message: string, details?: CallLogDetails): void;
  info(message: string, details?: CallLogDetails): void;
  warn(message: string, details?: CallLogDetails): void;
  /** `error` of the details is what was thrown: pino gets it as `err`. */
  error(message: string, details?: CallLogDetails): void;
}

/** Fields of a line of the log. */
export type CallLogDetails = Readonly<Record<string, unknown>>;

export interface BuilderRequest extends ContextRequest {
  /** Gives connections, locks and files to the request, which releases them however it ends. */
  readonly resources: Resources;
}

/** Every context has this, whatever its builder returns. It is the whole context where none is defined. */
// This is not an interface, so that it fits where a `Record<string, unknown>` is expected.
export type BaseContext = {
  /**
   * The caller's `x-request-id` where it is well formed, else a new id, or the one that the context builder returns.
   */
  readonly requestId: string;
  /** Fires when an answer would reach nobody any more: the request timed out, or the caller left. */
  readonly signal: AbortSignal;
  /**
   * Writes to the logger of the server, with the id of the request and the capability:
   * `ctx.log.info('Booked', { id })`.
   * A `log` of the context builder replaces it.
   */
  readonly log: CallLog;
};

/** Builds the context of one request. `Ctx` is the context that handlers get. */
export interface ContextBuilder<out Ctx extends object = object> {
  readonly [CONTEXT]: true;
  readonly [BUILDS]: Ctx;
  /**
   * Called once for each request. The returned context gets a `requestId` and a `signal`, unless it has them already.
   */
  readonly build: (request: BuilderRequest) => object | Promise<object>;
}

/** The context of a builder: `interface Context extends ContextOf<typeof context> {}`. */
export type ContextOf<Builder extends ContextBuilder> =
  Builder extends ContextBuilder<infer Ctx> ? Ctx : never;

/** A context as a caller in the same process gives it; `requestId` and `signal` may be left out. */
export type CallContext<Ctx> = Ctx extends unknown
  ? Omit<Ctx, keyof BaseContext> & Partial<Pick<Ctx, Extract<keyof Ctx, keyof BaseContext>>>
  : never;

/** The context that a guard may take: `Ctx`, or any `C` where only the fields of every context are known. */
export type ContextOfGuard<Ctx, C> = [keyof Ctx] extends [keyof BaseContext] ? C : Ctx;

/**
 * Defines how the context of a request is made. `fn` may be asynchronous; an error that it throws rejects the request.
 */
export function defineContext<Built extends object>(
  fn: (request: BuilderRequest) => Built | Promise<Built>,
): ContextBuilder<Built & BaseContext> {
  expectFunction('defineContext', fn, 'defineContext(() => ({ … }))');
  return brand<ContextBuilder<Built & BaseContext>>({ [CONTEXT]: true, build: fn });
}

export function isContextBuilder(value: unknown): value is ContextBuilder {
  return typeof value === 'object' && value !== null && CONTEXT in value;
}

/** The field of a context with its request. Copies of an enhanced one have it, too. */
export const REQUEST: unique symbol = Symbol.for('capix.request');

export interface CallRequest extends ContextRequest {
  /** Adds a header to the answer, whatever that will be; missing where answers have none. */
  readonly addHeader?: ((name: string, value: string) => void) | undefined;
  /** Logs an error that no caller can get any more; missing where no call runs. */
  readonly reportLate?: ((thrown: unknown) => void) | undefined;
  /** Tells the calls that share headers apart: each has an idempotency key of its own. */
  readonly place?: string | undefined;
  /** An object that only the calls of one operation have which another server runs: they share loaders. */
  readonly group?: object | undefined;
  readonly caller?: CallerTools | undefined;
  /** The path without the secrets of its parameters; missing where there are none. */
  readonly shownPath?: string | undefined;
  /** The trace of the caller, or the span of the call itself, as the header of that name (W3C Trace Context). */
  traceparent?: string | undefined;
  /** Set once something waits for the success of the call, and at its end. */
  successQueue?: SuccessQueue | undefined;
  /**
   * Runs the iteration of a stream in the asynchronous context of its handler, which the middleware around it has set.
   */
  runStream?: RunHere | undefined;
  /** The input as it was sent, before the schema, where an idempotency key is compared by it. */
  sent?: unknown;
  /** The data of the handler, with the result of its schema; set where middleware stands around the handler. */
  checked?: CheckedData | undefined;
  /** Where the tool notes the times of a call that it records. */
  marks?: CallMarks | undefined;
}

/** The request of a context, or of one that was made of it; undefined for a context that no server built. */
export function findCallRequest(ctx: unknown): CallRequest | undefined {
  return typeof ctx === 'object' && ctx !== null
    ? (ctx as { readonly [REQUEST]?: CallRequest })[REQUEST]
    : undefined;
}

export type Elicited<Content = unknown> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' };

export interface CallerTools {
  /**
   * Reports how far the call is: `ctx.progress(3, 10, 'Reading page 3')`. A report that goes no further is not sent.
   */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Tells the agent something beside the answer: `ctx.log('info', 'Two rows were skipped.')`. */
  readonly log: (
    level: 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency',
    data: unknown,
  ) => void;
  /** Asks the user, with a form of flat fields. The handler runs again from its start with the answer. */
  readonly elicit: <S extends Schema>(
    message: string,
    schema: S,
    options?: { readonly name?: string | undefined },
  ) => Promise<Elicited<OutputOf<S>>>;
}
