import type { IncomingHttpHeaders } from 'node:http';
import type { Resources } from '../resources/resources.ts';

const CONTEXT: unique symbol = Symbol.for('capix.context') as never;
declare const BUILDS: unique symbol;

export interface CallingClient {
  readonly name: string;
  readonly version: string;
}

export interface ContextRequest {
  /** The way in: `rest`, `mcp`, or `invoke` for a call from inside the process. */
  readonly transport: string;
  readonly method: string;
  /** Path without the query, undecoded; the key of the capability where there is no route. */
  readonly path: string;
  readonly url: string;
  /** The route that takes the request: `/users/:id`; undefined before one has matched, and outside HTTP. */
  readonly route?: string | undefined;
  /** Names are in lower case. A header that was sent several times is a list where Node gives it as one. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly remoteAddress: string | undefined;
  /** The caller as `authorize` of `mcpTransport` gave it; undefined elsewhere. */
  readonly identity?: unknown;
  readonly client?: CallingClient | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The bytes of a JSON body, for checking a signature; undefined for other bodies and outside HTTP. */
  readonly rawBody?: Uint8Array | undefined;
}

export interface BuilderRequest extends ContextRequest {
  /** Gives connections, locks and files to the request, which releases them however it ends. */
  readonly resources: Resources;
}

/** Every context has this, whatever its builder returns. It is the whole context where none is defined. */
// Not an interface: it is to fit where `Record<string, unknown>` is asked for.
export type BaseContext = {
  /** The caller's `x-request-id` where it is sane, else a new one; or what the context builder says. */
  readonly requestId: string;
  /** Fires when nobody waits for the answer any more: the request timed out, or the caller left. */
  readonly signal: AbortSignal;
};

/** Builds the context of one request. `Ctx` is what handlers get. */
export interface ContextBuilder<out Ctx extends object = object> {
  readonly [CONTEXT]: true;
  readonly [BUILDS]: Ctx;
  /** Called once for each request. What it returns is given a `requestId` and a `signal`, unless it has them. */
  readonly build: (request: BuilderRequest) => object | Promise<object>;
}

/** The context of a builder: `interface Context extends ContextOf<typeof context> {}`. */
export type ContextOf<Builder extends ContextBuilder> = Builder extends ContextBuilder<infer Ctx> ? Ctx : never;

/** A context as a caller in the same process gives it; `requestId` and `signal` may be left out. */
export type CallContext<Ctx> = Ctx extends unknown
  ? Omit<Ctx, keyof BaseContext> & Partial<Pick<Ctx, Extract<keyof Ctx, keyof BaseContext>>>
  : never;

/** The context that a guard may be of: `Ctx`, or any `C` where nothing is known yet but what every context has. */
export type ContextOfGuard<Ctx, C> = [keyof Ctx] extends [keyof BaseContext] ? C : Ctx;

/** Defines how the context of a request is made. `fn` may be asynchronous; what it throws rejects the request. */
export function defineContext<Built extends object>(
  fn: (request: BuilderRequest) => Built | Promise<Built>,
): ContextBuilder<Built & BaseContext> {
  return Object.freeze({ [CONTEXT]: true, build: fn }) as never;
}

export function isContextBuilder(value: unknown): value is ContextBuilder {
  return typeof value === 'object' && value !== null && CONTEXT in value;
}
