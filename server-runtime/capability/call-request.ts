import type { AsyncLocalStorage } from 'node:async_hooks';
import type { OutputOf, Schema } from '../schema/schema.ts';
import type { EndOfCall } from './after-success.ts';
import type { ContextRequest } from './context.ts';

/** The field of a context with its request. Copies of an enhanced one have it, too. */
export const REQUEST: unique symbol = Symbol.for('capix.request') as never;

export interface CallRequest extends ContextRequest {
  /** Adds a header to the answer, whatever that will be; missing where answers have none. */
  readonly addHeader?: ((name: string, value: string) => void) | undefined;
  readonly caller?: CallerTools | undefined;
  /** Set once something waits for the end of the call, and at its end. */
  endOfCall?: EndOfCall | undefined;
  /** The input as it was sent, before the schema, where an idempotency key is compared by it. */
  sent?: unknown;
}

/** The request of a context, or of one that was made of it; undefined for a context that no server built. */
export function findCallRequest(ctx: unknown): CallRequest | undefined {
  return typeof ctx === 'object' && ctx !== null ? (ctx as { readonly [REQUEST]?: CallRequest })[REQUEST] : undefined;
}

/** The storage that knows to which call the code that runs belongs; undefined where nobody tracks them. */
export let calls: AsyncLocalStorage<CallRequest | undefined> | undefined;

/** Lets `findCurrentCall` know the call from now on, as `jobs.enqueue` needs; nobody else pays for it. */
export function trackCalls(storage: AsyncLocalStorage<CallRequest | undefined>): void {
  calls ??= storage;
}

export function findCurrentCall(): CallRequest | undefined {
  return calls?.getStore();
}

export type NoteLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export type Elicited<Content = unknown> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' };

export interface ElicitOptions {
  readonly name?: string | undefined;
}

export interface CallerTools {
  /** Says how far the call is: `ctx.progress(3, 10, 'Reading page 3')`. What is not further than before is not sent. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Tells the agent something beside the answer: `ctx.log('info', 'Two rows were skipped.')`. */
  readonly log: (level: NoteLevel, data: unknown) => void;
  /** Asks the user, with a form of flat fields. The handler runs again from its start with the answer. */
  readonly elicit: <S extends Schema>(
    message: string,
    schema: S,
    options?: ElicitOptions,
  ) => Promise<Elicited<OutputOf<S>>>;
}
