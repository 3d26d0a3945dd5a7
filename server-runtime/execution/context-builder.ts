import { findCallRequest, hasRequest, REQUEST, setRequest } from '../capability/call-request.ts';
import type { BuilderRequest, ContextBuilder, ContextRequest } from '../capability/context.ts';
import { andThen, type MaybePromise } from '../errors/failure.ts';

/**
 * Makes the context of one request, with its `signal`. Where the handler is enhanced the signal is a property that a
 * copy has too, so that an enhancer that hands on `{...ctx, more}` hands it on; elsewhere a context that is sent or
 * printed does not show it.
 */
export type BuildContext = (request: BuilderRequest, isEnhanced: boolean) => MaybePromise<object>;

/** Adds to the context after the builder: what it returns is merged in. */
export interface ContextExtension {
  /** Who adds, for the error when two add the same key. */
  readonly owner: string;
  readonly extend: (request: BuilderRequest, ctx: object) => MaybePromise<object | undefined>;
}

/** Joins the builder and the extensions, in order. Without either the context is `{requestId}`. */
export function createContextBuilder(
  builder: ContextBuilder | undefined,
  extensions: readonly ContextExtension[],
): BuildContext {
  const isExtended = extensions.length > 0;
  const build: BuildContext = (request, isEnhanced) => {
    if (builder === undefined) return withRequest({ requestId: request.requestId }, request, isEnhanced);
    return andThen(builder.build(request), (built) =>
      withRequest(isExtended ? toOwn(built) : built, request, isEnhanced),
    );
  };
  if (!isExtended) return build;
  return (request, isEnhanced) =>
    andThen(build(request, isEnhanced), (ctx) => extend({ request, ctx, owners: new Map() }, extensions));
}

/** A builder may return the same object each time, which must not keep what is added for one request. */
function toOwn(built: object): object {
  if (typeof built !== 'object' || built === null || !isPlain(built)) return built;
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(built));
}

/** The signal is a getter, because making one costs more than the rest of a small request. */
function withRequest(built: object, request: ContextRequest, isEnhanced: boolean): object {
  if (typeof built !== 'object' || built === null) {
    throw new TypeError(`The context builder must return an object, got ${built === null ? 'null' : typeof built}.`);
  }
  const ctx = hasRequest(built) ? toCopy(built) : toExtensible(built);
  setRequest(ctx, request, isEnhanced);
  if (!('requestId' in ctx)) {
    const id = { value: request.requestId, writable: true, configurable: true, enumerable: isEnhanced };
    Object.defineProperty(ctx, 'requestId', id);
  }
  return 'signal' in ctx ? ctx : Object.defineProperty(ctx, 'signal', isEnhanced ? COPIED_SIGNAL : SIGNAL);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * This serves a builder that returns the same object each time: requests that run at once have each their signal. An
 * instance of a class cannot be copied.
 */
function toCopy(built: object): object {
  if (!isPlain(built)) {
    const name = (built.constructor as { readonly name?: string } | undefined)?.name ?? 'a class';
    throw new TypeError(
      `The builder of defineContext(…) returned the same instance of ${name} for two requests, whose signals and ` +
        'ids would mix. Return a new object for each request: defineContext(() => ({ service })).',
    );
  }
  const all = Object.getOwnPropertyDescriptors(built) as PropertyDescriptorMap;
  const { signal, requestId, [REQUEST]: _, ...others } = all;
  if (signal !== undefined && signal.get !== SIGNAL.get) others['signal'] = signal;
  if (requestId !== undefined && !isGivenId(built)) others['requestId'] = requestId;
  return Object.defineProperties({}, others);
}

function toExtensible(ctx: object): object {
  if (Object.isExtensible(ctx)) return ctx;
  return isPlain(ctx) ? { ...ctx } : (Object.create(ctx) as object);
}

const SIGNAL: PropertyDescriptor & ThisType<object> = {
  get() {
    return findCallRequest(this)?.signal;
  },
  configurable: true,
  enumerable: false,
};
const COPIED_SIGNAL = { ...SIGNAL, enumerable: true };

interface Extending {
  readonly request: BuilderRequest;
  readonly ctx: object;
  /** Who added which keys. */
  readonly owners: Map<string, ContextExtension>;
}

function extend(state: Extending, extensions: readonly ContextExtension[]): MaybePromise<object> {
  const [first, ...rest] = extensions;
  if (first === undefined) return state.ctx;
  return andThen(first.extend(state.request, state.ctx), (added) => {
    const ctx = toExtensible(state.ctx) as Record<string, unknown>;
    for (const [key, value] of Object.entries(added ?? {})) {
      if (key in ctx && !(key === 'requestId' && isGivenId(ctx))) {
        const owner = state.owners.get(key)?.owner ?? 'the context builder';
        throw new TypeError(`Both ${owner} and ${first.owner} set '${key}' in the context. Rename it in one of them.`);
      }
      state.owners.set(key, first);
      Object.defineProperty(ctx, key, { value, writable: true, configurable: true, enumerable: true });
    }
    return extend({ ...state, ctx }, rest);
  });
}

/** Whether a context has the id of its request, which stands back where a plugin says another. */
function isGivenId(ctx: { readonly requestId?: unknown }): boolean {
  return ctx.requestId === findCallRequest(ctx)?.requestId;
}
