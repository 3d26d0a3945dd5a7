import type { ContextRequest } from '../context.ts';
import type { CallerTools } from './caller-tools.ts';

const REQUEST: unique symbol = Symbol.for('capix.request') as never;

/** The request of a call, as enhancers of this package see it. */
export interface CallRequest extends ContextRequest {
  /** Adds a header to the answer, whatever that will be; missing where answers have none. */
  readonly addHeader?: ((name: string, value: string) => void) | undefined;
  /** Notes that the answer is one that `withCache` keeps, made so many seconds ago; missing where callers keep none. */
  readonly noteKept?: ((ageSeconds: number) => void) | undefined;
  /** Reaches the caller while the call runs; missing where the transport cannot. */
  readonly caller?: CallerTools | undefined;
}

/** The request of a context, or of one that was made of it; undefined for a context that no server built. */
export function findCallRequest(ctx: unknown): CallRequest | undefined {
  return typeof ctx === 'object' && ctx !== null ? (ctx as { readonly [REQUEST]?: CallRequest })[REQUEST] : undefined;
}

/** A context that knows its request, and copies of which do. A builder may give one object for many requests: each gets a context of its own then. */
export function withCallRequest(ctx: object, request: CallRequest): object {
  const value = { value: request, configurable: true, enumerable: true };
  if (Object.isExtensible(ctx) && !Object.hasOwn(ctx, REQUEST)) return Object.defineProperty(ctx, REQUEST, value);
  const prototype = Object.getPrototypeOf(ctx) as object | null;
  const isPlain = prototype === null || prototype === Object.prototype;
  return isPlain
    ? Object.create(prototype, { ...Object.getOwnPropertyDescriptors(ctx), [REQUEST]: value })
    : Object.create(ctx, { [REQUEST]: value });
}
