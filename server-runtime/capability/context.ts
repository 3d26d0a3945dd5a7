const CONTEXT: unique symbol = Symbol.for('capix.context') as never;

/** What a context builder may look at. Header names are in lower case. */
export interface ContextRequest {
  /** The way in: `rest`, `mcp`, or `invoke` for a call from inside the process. */
  readonly transport: string;
  /** `INVOKE` where there is no HTTP method of a route. */
  readonly method: string;
  /** Path without the query, undecoded; the key of the capability where there is no route. */
  readonly path: string;
  /** Path and query as they were sent; as `path` where there is no route. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  /** Fires when the request times out and when the caller leaves. */
  readonly signal: AbortSignal;
  /** The bytes of a JSON body, for checking a signature; undefined for other bodies and outside HTTP. */
  readonly rawBody?: Uint8Array | undefined;
}

/** What every context has: the signal that fires when nobody waits for the answer any more. */
export interface SignalContext {
  readonly signal: AbortSignal;
}

/** The context of an application that defines none. */
export interface BaseContext extends SignalContext {
  readonly requestId: string;
}

/** Builds the context of one request. */
export interface ContextBuilder<out Built extends object = object> {
  readonly [CONTEXT]: true;
  readonly build: (request: ContextRequest) => Built | Promise<Built>;
}

/** The context that handlers get from this builder: `type Context = ContextOf<typeof context>`. */
export type ContextOf<Builder extends ContextBuilder> =
  Builder extends ContextBuilder<infer Built> ? Built & SignalContext : never;

/**
 * Defines how the context of a request is made. `fn` may be asynchronous; what it throws rejects the request.
 * The object that it returns is given a `signal`, unless it has one.
 */
export function defineContext<Built extends object>(
  fn: (request: ContextRequest) => Built | Promise<Built>,
): ContextBuilder<Built> {
  return Object.freeze({ [CONTEXT]: true as const, build: fn });
}

/** Whether `value` was made by `defineContext`, of this copy of the package or another. */
export function isContextBuilder(value: unknown): value is ContextBuilder {
  return typeof value === 'object' && value !== null && CONTEXT in value;
}
