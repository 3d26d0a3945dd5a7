import type { BaseContext, ContextBuilder, ContextRequest } from '../capability/context.ts';
import { andThen, type MaybePromise } from '../errors/outcome.ts';

/** Makes the context of one request, with its `signal`. */
export type BuildContext = (request: ContextRequest) => MaybePromise<object>;

/** Adds to the context after the builder: what it returns is merged in. */
export interface ContextExtension {
  /** Who adds, for the error when two add the same key. */
  readonly owner: string;
  readonly extend: (request: ContextRequest, ctx: object) => MaybePromise<object | undefined>;
}

/** Joins the builder and the extensions, in order. Without either the context is `{requestId}`. */
export function toBuildContext(
  builder: ContextBuilder | undefined,
  extensions: readonly ContextExtension[],
): BuildContext {
  const build: BuildContext =
    builder === undefined
      ? (request) => new PlainContext(request)
      : (request) => andThen(builder.build(request), (built) => withSignal(built, request));
  if (extensions.length === 0) return build;
  return (request) => andThen(build(request), (ctx) => extend({ request, ctx, owners: new Map() }, extensions));
}

class PlainContext implements BaseContext {
  readonly requestId: string;
  readonly #request: ContextRequest;
  constructor(request: ContextRequest) {
    this.requestId = request.requestId;
    this.#request = request;
  }
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** The signal is a getter, because making one costs more than the rest of a small request. */
function withSignal(built: object, request: ContextRequest): object {
  if (typeof built !== 'object' || built === null) {
    throw new TypeError(`The context builder must return an object, got ${built === null ? 'null' : typeof built}.`);
  }
  if ('signal' in built) return RequestOf.renew(built, request);
  const ctx = Object.isExtensible(built) ? built : Object.create(built);
  new RequestOf(ctx, request);
  return Object.defineProperty(ctx, 'signal', SIGNAL);
}

class Given {
  constructor(object: object) {
    return object;
  }
}

/**
 * Remembers the request of a context in a private field of that context, which nobody else sees. So all contexts share
 * one getter: one made for each request changes the hidden class of each context, which doubled the cost of a small request.
 */
class RequestOf extends Given {
  #request: ContextRequest;
  constructor(ctx: object, request: ContextRequest) {
    super(ctx);
    this.#request = request;
  }
  /** Looks up the prototypes too: an application may derive an object from its context. */
  static signalOf(ctx: object): AbortSignal {
    return #request in ctx ? ctx.#request.signal : RequestOf.signalOf(Object.getPrototypeOf(ctx) as object);
  }
  /** For a builder that returns the same object each time. */
  static renew(ctx: object, request: ContextRequest): object {
    if (#request in ctx) ctx.#request = request;
    return ctx;
  }
}

const SIGNAL: PropertyDescriptor & ThisType<object> = {
  get() {
    return RequestOf.signalOf(this);
  },
  configurable: true,
  enumerable: false,
};

interface Extending {
  readonly request: ContextRequest;
  readonly ctx: object;
  readonly owners: Map<string, string>;
}

function extend(state: Extending, extensions: readonly ContextExtension[]): MaybePromise<object> {
  const [first, ...rest] = extensions;
  if (first === undefined) return state.ctx;
  return andThen(first.extend(state.request, state.ctx), (added) => {
    const ctx = Object.isExtensible(state.ctx) ? state.ctx : Object.create(state.ctx);
    for (const [key, value] of Object.entries(added ?? {})) {
      if (key in ctx) {
        const other = state.owners.get(key) ?? 'the context builder';
        throw new TypeError(`Both ${other} and ${first.owner} set '${key}' in the context. Rename it in one of them.`);
      }
      state.owners.set(key, first.owner);
      ctx[key] = value;
    }
    return extend({ ...state, ctx }, rest);
  });
}
