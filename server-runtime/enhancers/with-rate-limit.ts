import {
  type Check,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { findCallRequest } from '../capability/middleware/call-request.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from '../errors/expect-integer.ts';
import { andThen, type MaybePromise } from '../errors/outcome.ts';
import type { Taken } from '../stores/store.ts';
import { type AskedStore, AWAY } from './state/asked-store.ts';
import { type By, createCallerOf } from './state/caller-of.ts';
import { claimSpace, enhancerStateOf } from './state/enhancer-state.ts';
import { expectOnStoreError, type OnStoreError, storeAway } from './state/on-store-error.ts';
import { toStoreKey } from './state/to-store-key.ts';
import { withLibrary } from './with-library.ts';

/** The options of `withRateLimit`: how many calls it lets through, of whom, in which time. */
export interface RateLimitOptions<in Input = never, in Ctx = never> {
  /** Calls that may come at once. */
  readonly limit: number;
  /** The time in which `limit` calls more are let through, at an even rate, milliseconds. */
  readonly windowMs: number;
  /**
   * Whose calls are counted together: `(input, ctx) => ctx.user?.id`. Callers for whom it gives undefined are counted by address, as all are
   * with `'address'`. @default everybody's together
   */
  readonly by?: By<Input, Ctx> | undefined;
  /** Counts the calls of all capabilities that have a limit of this name together: of a group, or of the server. @default each capability alone */
  readonly name?: string | undefined;
  /** Counts calls that guards or validation refuse, too: it looks before them, and `by` gets no input then. @default false */
  readonly countsRefused?: boolean | undefined;
  /** While the store of the server does not answer: `open` lets calls through, `closed` refuses them with 503. @default 'open' */
  readonly onStoreError?: OnStoreError | undefined;
  /** Callers counted at the same time, without a store; the one that was quiet longest is forgotten. @default 100000 */
  readonly maxCallers?: number | undefined;
}

/**
 * Refuses calls above a limit with 429 `TooManyRequests` and `meta: {limit, windowMs, retryAfterSeconds}`; over HTTP also `Retry-After`, and
 * every answer has `RateLimit` and `RateLimit-Policy`. Each caller has a bucket of `limit` calls that fills within `windowMs`. Counts in the store of the
 * server, else in the memory of this process.
 *
 * @throws RangeError for a bad number, TypeError for another bad option
 *
 * @example
 * ```ts
 * export const signIn = capability(z.object({ email: z.string() }), ({ email }) => ({ sentTo: email }))
 *   .enhance(withRateLimit({ limit: 5, windowMs: 60_000, by: ({ email }) => email }));
 *
 * // All calls of a server together, by user, else by address, also those that are refused.
 * interface Context { readonly user?: { readonly id: string } }
 * const everyCall = withRateLimit({
 *   name: 'api', limit: 600, windowMs: 60_000, countsRefused: true, by: (_input: unknown, ctx: Context) => ctx.user?.id,
 * });
 * ```
 */
export function withRateLimit<Input, Ctx>(
  options: RateLimitOptions<Input, Ctx>,
): Enhancer<Input, Ctx, unknown, typeof defaultErrors.TooManyRequests> {
  const { limit, windowMs, name, countsRefused = false, onStoreError = 'open', maxCallers = 100_000 } = options;
  expectInteger('withRateLimit limit', limit, { min: 1 });
  expectInteger('withRateLimit windowMs', windowMs, { min: 1 });
  expectInteger('withRateLimit maxCallers', maxCallers, { min: 1, max: 10_000_000 });
  expectOnStoreError('withRateLimit', onStoreError);
  expectName(name);
  const limiting: Limiting = { limit, windowMs, name, by: options.by, onStoreError, maxCallers };
  return createEnhancer<Input, Ctx, Ctx, typeof defaultErrors.TooManyRequests>(
    (next, operation) => (countsRefused ? next : checked(next as Next, createCheck(limiting, operation))),
    {
      name: 'withRateLimit',
      errors: [defaultErrors.TooManyRequests],
      settings: { limit, windowMs, ...(name === undefined ? {} : { name }) },
    },
    {
      usesServer: true,
      kind: 'limit',
      admit: countsRefused ? (operation) => createCheck(limiting, operation) : undefined,
    },
  );
}

/** It stands in a header. */
function expectName(name: string | undefined): void {
  if (name === undefined || /^[\w.:/-]{1,64}$/.test(name)) return;
  throw new TypeError(
    `withRateLimit name: expected up to 64 letters, digits, '_', '.', ':', '/' and '-', got '${name}'.`,
  );
}

interface Limiting {
  readonly limit: number;
  readonly windowMs: number;
  readonly name: string | undefined;
  readonly by: By | undefined;
  readonly onStoreError: OnStoreError;
  readonly maxCallers: number;
}

function checked(next: Next, check: Check): Next {
  return (input, ctx) => andThen(check(ctx, input), () => next(input, ctx));
}

function createCheck(limiting: Limiting, operation: EnhancedOperation): Check {
  const { limit, windowMs, maxCallers } = limiting;
  const name = limiting.name ?? operation.key;
  const space = claimSpace(operation, `limit:${limit}/${windowMs}:${name}`);
  const count = withLibrary(
    () => enhancerStateOf(operation).open({ name: space, maxEntries: maxCallers }),
    (store) => createCount(store, { ...limiting, name, space }),
  );
  return (ctx, input) => count(input, ctx);
}

interface Counting extends Limiting {
  readonly name: string;
  readonly space: string;
}

/** Takes one call from the caller's bucket. @throws TooManyRequests where there is none, and ServiceUnavailable while the store is away and it is closed */
function createCount(
  store: AskedStore,
  { limit, windowMs, by, onStoreError, name, space }: Counting,
): (input: unknown, ctx: unknown) => MaybePromise<void> {
  const callerOf = createCallerOf(by);
  const bucket = { limit, windowMs };
  const policy = `"${name}";q=${limit};w=${Math.ceil(windowMs / 1000)}`;
  const settle = (taken: Taken | typeof AWAY, ctx: unknown): void => {
    if (taken === AWAY) {
      if (onStoreError === 'open') return;
      throw storeAway();
    }
    const request = findCallRequest(ctx);
    request?.addHeader?.('ratelimit-policy', policy);
    request?.addHeader?.('ratelimit', `"${name}";r=${taken.tokens};t=${Math.ceil(taken.resetMs / 1000)}`);
    if (!taken.ok) throw tooManyCalls(bucket, taken.retryMs);
  };
  return (input, ctx) => {
    const key = toStoreKey(space, callerOf(input, ctx));
    return andThen(
      store.ask((asked) => asked.take(key, bucket)),
      (taken) => settle(taken, ctx),
    );
  };
}

function tooManyCalls(
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
  waitMs: number,
): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return defaultErrors.TooManyRequests(`Too many requests; try again in ${retryAfterSeconds} s`, {
    limit,
    windowMs,
    retryAfterSeconds,
  });
}
