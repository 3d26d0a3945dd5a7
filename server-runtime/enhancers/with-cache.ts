import { findCallRequest } from '../capability/context.ts';
import {
  type Answer,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { type AnswerCodec, loadAnswerCodec } from './answer-text.ts';
import {
  AWAY,
  enhancerStateOf,
  findSignal,
  MAX_TAGGED_MS,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';

export interface CacheOptions<in Input = never, in Ctx = never> {
  /** How long an answer is stored, milliseconds. */
  readonly ttlMs: number;
  /** The most answers in memory, where there is no store; the one that was unused longest makes room. @default 1000 */
  readonly maxEntries?: number | undefined;
  /**
   * The owner of an answer; an answer whose owner is undefined is not cached. A guarded capability must declare it.
   * @default everybody shares
   */
  readonly scope?: ((ctx: Ctx) => string | undefined) | undefined;
  /** The part of the input that makes answers differ; undefined is not cached. @default the whole input */
  readonly key?: ((input: Input, ctx: Ctx) => string | undefined) | undefined;
  /** Names under which answers are put out of date, by `invalidates` or `server.invalidate`. @default none */
  readonly tags?: ((input: Input, ctx: Ctx) => readonly string[]) | undefined;
}

const optionNames: OptionNames<CacheOptions> = {
  ttlMs: true,
  maxEntries: true,
  scope: true,
  key: true,
  tags: true,
};

/**
 * Stores the answers of a query in the store of the server, else in memory. Callers that send the same input at the
 * same time wait for one handler, and each gets a copy. While the store does not answer, the handler runs.
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a capability that changes data and
 * on a guarded one without `scope` or `key`
 */
export function withCache<Input, Ctx>(
  options: CacheOptions<Input, Ctx>,
): Enhancer<Input, Ctx, unknown, never> {
  expectKnownOptions('withCache', options, optionNames);
  const { ttlMs, maxEntries = 1000 } = options;
  expectInteger('withCache ttlMs', ttlMs, { min: 1, ...(options.tags && { max: MAX_TAGGED_MS }) });
  expectInteger('withCache maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  const wrap = (next: Next, operation: EnhancedOperation): Next => {
    const { key, intent, guarded } = operation;
    if (intent !== 'query')
      throw new TypeError(
        `withCache on \`${key}\`: its intent is \`${intent}\`, so a cached answer would leave the change undone. ` +
          'Remove withCache, or declare the intent `query`.',
      );
    if (guarded && options.scope === undefined && options.key === undefined)
      throw new TypeError(
        `withCache on \`${key}\`: the capability is guarded, so one user could get the answer of another. Say whose ` +
          "answers these are: withCache({…, scope: (ctx) => ctx.user.id}), or scope: () => 'all' for everybody's.",
      );
    return whenLoaded(loadCached(next, operation, options as CacheOptions));
  };
  return createEnhancer(wrap as never, {
    name: 'withCache',
    settings: { ttlMs, maxEntries },
    kind: 'cache',
  });
}

interface CachedCall {
  readonly input: unknown;
  readonly ctx: unknown;
  readonly key: string;
  /** The owner of the answer: the one of `scope`, or else the caller whose request came first. */
  readonly owner: string;
  /** When its tags were invalidated last; undefined while the store does not answer, and nothing is stored. */
  readonly stamp?: string;
}

/** An answer and its stamp, in one record of the store, so that no key of an input can be a mark. */
type CachedAnswer = readonly [stamp: string | undefined, answer: Answer];

async function loadCached(
  next: Next,
  operation: EnhancedOperation,
  options: CacheOptions,
): Promise<Next> {
  const { ttlMs, maxEntries = 1000, tags: tagsOf } = options;
  const state = enhancerStateOf(operation);
  const space = state.claim(`cache:${operation.key}`);
  const [codec, store] = await Promise.all([loadAnswerCodec(), state.open(space, maxEntries)]);
  let hasWarned = false;
  /**
   * Reads a record. Other programs, or another version, may have written one that cannot be read: it counts as absent,
   * and the log warns once.
   */
  function read(record: string): CachedAnswer | undefined {
    try {
      const cached: unknown = codec.read(record);
      if (Array.isArray(cached) && cached.length === 2) return cached as unknown as CachedAnswer;
    } catch {
      // The text was not written by the codec.
    }
    if (!hasWarned)
      state.logger?.warn(
        `[capix] A record in the store, of the cache of ${operation.key}, cannot be read: it counts as none.`,
      );
    hasWarned = true;
    return undefined;
  }
  const flights = new Map<string, Promise<string | undefined>>();

  /** Writes an answer that is as good for the next caller into the store, and gives its record. */
  async function writeRecord(
    { key, stamp, owner }: CachedCall,
    answer: Answer,
  ): Promise<string | undefined> {
    const record = isForAll(answer) ? codec.write([stamp, answer]) : undefined;
    if (record !== undefined && stamp !== undefined)
      await store.ask((to) => {
        to.assign?.(key, owner);
        return to.set(key, record, ttlMs);
      });
    return record;
  }

  /** Calls that arrive while an answer is being made share it, unless its tags have been invalidated since. */
  async function share(call: CachedCall): Promise<Answer> {
    const run = async (): Promise<Answer> => next(call.input, call.ctx);
    const name = `${call.key}\n${call.stamp}`;
    const flight = flights.get(name);
    if (flight !== undefined) {
      const record = await flight;
      const cached = record === undefined ? undefined : read(record);
      return cached === undefined ? run() : cached[1];
    }
    const answering = run();
    // The caller that started the handler may have left and so ended it: the others run the handler themselves.
    const onError = (error: unknown) =>
      findSignal(call.ctx)?.aborted === true ? undefined : Promise.reject(error);
    const making = answering
      .then((answer) => writeRecord(call, answer), onError)
      .finally(() => flights.delete(name));
    flights.set(name, making);
    await making;
    return answering;
  }

  return async (input, ctx) => {
    const { text, scope } = findKey(options, codec, [input, ctx]);
    if (text === undefined) return next(input, ctx);
    const owner = scope ?? findCallRequest(ctx)?.remoteAddress ?? '';
    const call = { input, ctx, key: toStoreKey(space, text), owner };
    if (store.isAway()) return share(call);
    // All questions go to the store together, so that a call waits once.
    const found = store.ask((from) => from.get(call.key));
    const stamp =
      tagsOf === undefined ? '' : await state.readTags(tagsOf(input as never, ctx as never));
    const record = await found;
    if (stamp === AWAY || record === AWAY) return share(call);
    const cached = record === undefined ? undefined : read(record);
    return cached !== undefined && cached[0] === stamp ? cached[1] : share({ ...call, stamp });
  };
}

function findKey(
  { scope: scopeOf, key: keyOf }: CacheOptions,
  codec: AnswerCodec,
  call: readonly [unknown, unknown],
): { readonly text?: string | undefined; readonly scope?: string | undefined } {
  const [input, ctx] = call as readonly [never, never];
  const scope = scopeOf?.(ctx);
  if (scopeOf !== undefined && scope === undefined) return {};
  const key = keyOf === undefined ? codec.toKey(input) : keyOf(input, ctx);
  const isScoped = key !== undefined && scope !== undefined;
  return { text: isScoped ? `${JSON.stringify(scope)} ${key}` : key, scope };
}

function isForAll(value: unknown): boolean {
  if (!isReply(value)) return true;
  const { status = 200, headers } = value;
  return status < 400 && !Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie');
}

/** Puts the cached answers of some tags out of date once the handler has succeeded, before its caller knows. */
export function invalidates<Input, Ctx>(
  tags: (input: Input, ctx: Ctx) => readonly string[],
): Enhancer<Input, Ctx, unknown, never> {
  return createEnhancer<Input, Ctx>(
    (next, operation) => async (input, ctx) => {
      const value = await (next as Next)(input, ctx);
      const { status = 200 } = isReply(value) ? value : {};
      if (status < 400) await enhancerStateOf(operation).invalidateTags(tags(input, ctx));
      return value;
    },
    { name: 'invalidates' },
  );
}
