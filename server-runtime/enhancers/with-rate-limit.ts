import { findCallRequest } from '../capability/context.ts';
import {
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/define-error.ts';
import {
  expectInteger,
  expectKnownOptions,
  MAX_TIMEOUT_MS,
  type OptionNames,
} from '../errors/expect-options.ts';
import { andThen } from '../errors/maybe-promise.ts';
import { AWAY, type By, createCallerOf, enhancerStateOf, toStoreKey } from './enhancer-state.ts';

export interface RateLimitOptions<in Input = never, in Ctx = never> {
  /** Calls of a caller that a window has room for. */
  readonly limit: number;
  /** The length of a window, milliseconds, at most 24 days; a call begins it. In Redis rounded up to seconds. */
  readonly windowMs: number;
  /**
   * The caller to count a call for. Calls without one, and all calls for `'address'`, count by address. @default one
   * count for everybody
   */
  readonly by?: By<Input, Ctx> | undefined;
  /** Lets calls for which it gives true through, uncounted. With `countsRefused` it gets no input. @default none */
  readonly skip?: ((input: Input, ctx: Ctx) => boolean) | undefined;
  /** Counts the calls of all capabilities with a limit of this name together. @default each capability alone */
  readonly name?: string | undefined;
  /** Counts calls that guards or validation refuse, too: it looks before them, without an input. @default false */
  readonly countsRefused?: boolean | undefined;
  /** The leading bits of an IPv6 address that make the network by which it is counted, from 1 to 128. @default 56 */
  readonly ipv6SubnetBits?: number | undefined;
}

/**
 * Refuses calls above a limit with 429 `TooManyRequests` and `meta: {limit, windowMs, retryAfterSeconds}`. A call that
 * the store of the server does not count within a second is counted in memory.
 * @throws RangeError for a bad number, TypeError for another bad option
 */
export function withRateLimit<Input, Ctx>(
  options: RateLimitOptions<Input, Ctx>,
): Enhancer<Input, Ctx, unknown, typeof defaultErrors.TooManyRequests> {
  expectKnownOptions('withRateLimit', options, optionNames);
  const { limit, windowMs, name, countsRefused = false, ipv6SubnetBits = 56 } = options;
  expectInteger('withRateLimit limit', limit, { min: 1 });
  expectInteger('withRateLimit windowMs', windowMs, { min: 1, max: MAX_TIMEOUT_MS });
  expectInteger('withRateLimit ipv6SubnetBits', ipv6SubnetBits, { min: 1, max: 128 });
  // It stands in a header.
  if (name !== undefined && !/^[\w.:/-]{1,64}$/.test(name))
    throw new TypeError(
      `withRateLimit name: expected 1 to 64 letters, digits or '_.:/-', got '${name}'.`,
    );
  const toCheck = (operation: EnhancedOperation) =>
    createCheck(options as RateLimitOptions, operation);
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
      kind: 'limit',
      headers,
      admit: countsRefused ? toCheck : undefined,
    },
  );
}

const optionNames: OptionNames<RateLimitOptions> = {
  limit: true,
  windowMs: true,
  by: true,
  skip: true,
  name: true,
  countsRefused: true,
  ipv6SubnetBits: true,
};

const headers = {
  RateLimit:
    'Of each limit: its name, the calls that are left (`r`) and the seconds until the window is over (`t`).',
  'RateLimit-Policy':
    'Of each limit: its name, the calls of a caller (`q`) and the seconds of a window (`w`).',
};

function createCheck(options: RateLimitOptions, operation: EnhancedOperation) {
  const { limit, windowMs, by, skip, name = operation.key, ipv6SubnetBits = 56 } = options;
  const policy = `"${name}";q=${limit};w=${Math.ceil(windowMs / 1000)}`;
  const { claim, shared, openMemory, logger } = enhancerStateOf(operation);
  const space = claim(`limit:${limit}/${windowMs}:${name}`);
  const opening = openMemory(space, 100_000);
  let hasWarned = false;
  const callerOf = createCallerOf(by, (address, ctx) => {
    if (address !== undefined) return toNetwork(address, ipv6SubnetBits);
    if (!hasWarned && findCallRequest(ctx)?.transport === 'rest') {
      hasWarned = true;
      logger?.error(
        `[capix] withRateLimit on ${operation.key} counts callers by address, and a call has none: such calls are ` +
          'counted together. Pass the address to the handler of toFetchHandler: answer(request, { remoteAddress }).',
      );
    }
    return '';
  });
  return async (ctx: unknown, input: unknown): Promise<void> => {
    if (skip?.(input as never, ctx as never) === true) return;
    const key = toStoreKey(space, callerOf(input, ctx));
    // Every call is counted here too: a store that fails now and then must not make the limit twice as high.
    const own = await (await opening).consume(key, windowMs);
    const ofAll = (await shared?.ask((store) => store.consume(key, windowMs))) ?? AWAY;
    const { calls, resetMs } = ofAll === AWAY ? own : ofAll;
    const resetSeconds = Math.ceil(resetMs / 1000);
    const request = findCallRequest(ctx);
    request?.addHeader?.('ratelimit-policy', policy);
    request?.addHeader?.(
      'ratelimit',
      `"${name}";r=${Math.max(0, limit - calls)};t=${resetSeconds}`,
    );
    if (calls <= limit) return;
    const retryAfterSeconds = Math.max(1, resetSeconds);
    const message = `Too many requests; try again in ${retryAfterSeconds} s`;
    throw defaultErrors.TooManyRequests(message, { limit, windowMs, retryAfterSeconds });
  };
}

/** The network of an IPv6 address, because a caller usually has the whole network; other addresses stay as they are. */
function toNetwork(address: string, bits: number): string {
  const url = `http://[${address.split('%', 1)[0]}]`;
  if (!address.includes(':') || !URL.canParse(url)) return address;
  // A URL writes an address in one form: groups of hexadecimal digits, with one `::` at most.
  const groups = toGroups(new URL(url).hostname.slice(1, -1));
  const ipv4 = findMappedAddress(groups);
  if (ipv4 !== undefined) return ipv4;
  const binary = groups.map((group) => group.toString(2).padStart(16, '0')).join('');
  return `${binary.slice(0, bits)}/${bits}`;
}

/** The eight numbers of an address: `1::8` has six zeros between. */
function toGroups(address: string): readonly number[] {
  const toNumbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [left = '', right] = address.split('::');
  if (right === undefined) return toNumbers(left);
  const [first, last] = [toNumbers(left), toNumbers(right)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** `::ffff:1.2.3.4`, as a socket that takes both kinds shows the address `1.2.3.4`. */
function findMappedAddress(groups: readonly number[]): string | undefined {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return undefined;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  return bytes.join('.');
}
