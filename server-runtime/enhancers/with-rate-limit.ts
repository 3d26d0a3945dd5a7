import { findCallRequest } from '../capability/call-request.ts';
import {
  type Check,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { andThen } from '../errors/failure.ts';
import {
  AWAY,
  type By,
  claimSpace,
  createCallerOf,
  type EnhancerState,
  enhancerStateOf,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';
import { MAX_TIMEOUT_MS } from './with-timeout.ts';

/** The options of `withRateLimit`: how many calls it lets through, of whom, in which time. */
export interface RateLimitOptions<in Input = never, in Ctx = never> {
  /** Calls of a caller that a window has room for. */
  readonly limit: number;
  /** The length of a window, milliseconds, at most 24 days; a call begins it. In Redis rounded up to seconds. */
  readonly windowMs: number;
  /**
   * Whose calls are counted together: `(input, ctx) => ctx.user?.id`. Callers for whom it gives undefined are counted
   * by address, as all are with `'address'`. @default everybody's together
   */
  readonly by?: By<Input, Ctx> | undefined;
  /** Lets calls for which it gives true through, uncounted. With `countsRefused` it gets no input. @default none */
  readonly skip?: ((input: Input, ctx: Ctx) => boolean) | undefined;
  /**
   * Counts the calls of all capabilities that have a limit of this name together: of a factory, or of the server.
   * @default each capability alone
   */
  readonly name?: string | undefined;
  /** Counts calls that guards or validation refuse, too: it looks before them, without an input. @default false */
  readonly countsRefused?: boolean | undefined;
  /** The leading bits of an IPv6 address that make the network by which it is counted, from 1 to 128. @default 56 */
  readonly ipv6SubnetBits?: number | undefined;
  /** Callers that this process counts at the same time; the one that was quiet longest is forgotten. @default 100000 */
  readonly maxCallers?: number | undefined;
}

/**
 * Refuses calls above a limit with 429 `TooManyRequests` and `meta: {limit, windowMs, retryAfterSeconds}`; over HTTP
 * also with `Retry-After`, and every answer has `RateLimit` and `RateLimit-Policy`. Each caller has `limit` calls in a
 * window of `windowMs`, which begins with the first of them. Counts in the store of the server, else in the memory of
 * this process; a call that the store does not count within a second is counted in memory.
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
 *   name: 'api', limit: 600, windowMs: 60_000, countsRefused: true,
 *   by: (_input: unknown, ctx: Context) => ctx.user?.id,
 * });
 * ```
 */
export function withRateLimit<Input, Ctx>(
  options: RateLimitOptions<Input, Ctx>,
): Enhancer<Input, Ctx, unknown, typeof defaultErrors.TooManyRequests> {
  const { limit, windowMs, name, countsRefused = false, ipv6SubnetBits = 56, maxCallers = 100_000 } = options;
  expectInteger('withRateLimit limit', limit, { min: 1 });
  expectInteger('withRateLimit windowMs', windowMs, { min: 1, max: MAX_TIMEOUT_MS });
  expectInteger('withRateLimit ipv6SubnetBits', ipv6SubnetBits, { min: 1, max: 128 });
  expectInteger('withRateLimit maxCallers', maxCallers, { min: 1, max: 10_000_000 });
  // It stands in a header.
  if (name !== undefined && !/^[\w.:/-]{1,64}$/.test(name))
    throw new TypeError(
      `withRateLimit name: expected up to 64 letters, digits, '_', '.', ':', '/' and '-', got '${name}'.`,
    );
  const toCheck = (operation: EnhancedOperation): Check =>
    createCheck({ ...options, ipv6SubnetBits, maxCallers } as RateLimitOptions, operation);
  return createEnhancer<Input, Ctx, Ctx, typeof defaultErrors.TooManyRequests>(
    (next, operation) => {
      if (countsRefused) return next;
      const check = toCheck(operation);
      return (input, ctx) => andThen(check(ctx, input), () => (next as Next)(input, ctx));
    },
    {
      name: 'withRateLimit',
      errors: [defaultErrors.TooManyRequests],
      settings: { limit, windowMs, ...(name === undefined ? {} : { name }) },
    },
    { usesServer: true, kind: 'limit', headers, admit: countsRefused ? toCheck : undefined },
  );
}

const headers = {
  RateLimit: 'Of each limit: its name, the calls that are left (`r`) and the seconds until the window is over (`t`).',
  'RateLimit-Policy': 'Of each limit: its name, the calls of a caller (`q`) and the seconds of a window (`w`).',
};

/** Counts a call in the caller's window. The check throws TooManyRequests where there is no room for it. */
function createCheck(options: RateLimitOptions, operation: EnhancedOperation): Check {
  const { limit, windowMs, by, skip, name = operation.key, ipv6SubnetBits = 0, maxCallers = 0 } = options;
  const window = { limit, windowMs };
  const policy = `"${name}";q=${limit};w=${Math.ceil(windowMs / 1000)}`;
  const space = claimSpace(operation, `limit:${limit}/${windowMs}:${name}`);
  const state = enhancerStateOf(operation);
  const callerOf = createCallerOf(by, (address, ctx) => {
    if (address !== undefined) return toNetwork(address, ipv6SubnetBits);
    if (findCallRequest(ctx)?.transport === 'rest') tellOfNoAddress(operation.key, state);
    return '';
  });
  const load = async () => {
    const memory = await state.openMemory({ name: space, maxEntries: maxCallers });
    return async (input: unknown, ctx: unknown): Promise<void> => {
      const key = toStoreKey(space, callerOf(input, ctx));
      // Every call is counted here too: a store that fails now and then must not make the limit twice as high.
      const own = await memory.consume(key, window);
      const shared = (await state.given?.ask((store) => store.consume(key, window))) ?? AWAY;
      const { ok, remainingCalls, resetMs } = shared === AWAY ? own : shared;
      const resetSeconds = Math.ceil(resetMs / 1000);
      const request = findCallRequest(ctx);
      request?.addHeader?.('ratelimit-policy', policy);
      request?.addHeader?.('ratelimit', `"${name}";r=${remainingCalls};t=${resetSeconds}`);
      if (ok) return;
      const retryAfterSeconds = Math.max(1, resetSeconds);
      const message = `Too many requests; try again in ${retryAfterSeconds} s`;
      throw defaultErrors.TooManyRequests(message, { ...window, retryAfterSeconds });
    };
  };
  const count = whenLoaded(load());
  return (ctx, input) => (skip?.(input as never, ctx as never) === true ? undefined : count(input, ctx));
}

const toldOfNoAddress = new WeakSet<EnhancerState>();

/** Once: calls over HTTP without an address are counted together. */
function tellOfNoAddress(key: string, state: EnhancerState): void {
  if (toldOfNoAddress.has(state)) return;
  toldOfNoAddress.add(state);
  state.logger?.error(
    `[capix] withRateLimit on ${key} counts callers by address, and a call has none: all such calls are counted ` +
      'together. Pass the address to the handler of toFetchHandler: answer(request, { remoteAddress }).',
  );
}

/** The network of an IPv6 address, because whoever has one has all of it; other addresses are themselves. */
function toNetwork(address: string, bits: number): string {
  const [bare = ''] = address.split('%');
  const host = `http://[${bare}]`;
  if (!/^[\da-f.]*:[\da-f:.]*$/i.test(bare) || !URL.canParse(host)) return address;
  // A URL writes it in one form.
  const [left = [], right = []] = new URL(host).hostname
    .slice(1, -1)
    .split('::')
    .map((text) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))));
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  const masked = groups.map((group, at) => {
    const kept = Math.min(16, Math.max(0, bits - at * 16));
    return group & (0xffff << (16 - kept)) & 0xffff;
  });
  return `${masked.map((group) => group.toString(16)).join(':')}/${bits}`;
}
