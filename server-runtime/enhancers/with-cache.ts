import { createEnhancer, type EnhancedOperation, type Enhancer, type Next } from '../capability/enhancer.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { loadAnswerCodec } from './answer-codec.ts';
import { type CacheParts, createCachedNext } from './cached-next.ts';
import { claimSpace, enhancerStateOf, whenLoaded } from './enhancer-state.ts';
import { MAX_TAGGED_MS, openTags } from './invalidates.ts';
import { toPartsText } from './parts-text.ts';

/** The options of `withCache`: what it keeps, for whom, and how long. */
export interface CacheOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is kept, milliseconds. */
  readonly ttlMs: number;
  /** The time after it in which the old answer is given while a new one is made, once, milliseconds. @default 0 */
  readonly staleMs?: number | undefined;
  /** Answers kept without a store; the one that was unused longest makes room. @default 1000 */
  readonly maxEntries?: number | undefined;
  /**
   * Whose answers these are: `(ctx) => ctx.user.id`. Callers of one scope share answers; undefined is not cached.
   * A guarded capability must say it. @default everybody shares
   */
  readonly scope?: ((ctx: Ctx) => string | undefined) | undefined;
  /** The part of the input that makes answers differ; undefined is not cached. @default the whole input */
  readonly key?: ((input: Input, ctx: Ctx) => string | undefined) | undefined;
  /** Names under which answers are put out of date, by `invalidates` or `server.invalidate`. @default none */
  readonly tags?: ((input: Input, ctx: Ctx) => readonly string[]) | undefined;
}

/**
 * Keeps the answers of a query in the store of the server, else in memory. Callers who ask for the same at once wait
 * for one handler, in each process. Not kept are errors, replies with a status from 400 or with `set-cookie`, and
 * values that a text cannot hold: streams, responses, instances of classes. Every caller gets a copy. Guards and
 * validation run before it, every time. Each capability has a cache of its own. While the store does not answer, the
 * handler runs. What browsers and proxies may keep is declared besides, with `.cacheControl(…)`.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a capability that changes data and
 * on a guarded one without `scope` or `key`
 *
 * @example
 * ```ts
 * interface Context { readonly user: { readonly id: string } }
 *
 * export const listOrders = capability
 *   .withContext<Context>()(z.object({ page: z.number().default(1) }), ({ page }) => ({ page, orders: [] }))
 *   .enhance(withCache({ ttlMs: 30_000, staleMs: 60_000, scope: (ctx) => ctx.user.id, tags: () => ['orders'] }));
 * ```
 */
export function withCache<Input, Ctx>(options: CacheOptions<Input, Ctx>): Enhancer<Input, Ctx, unknown, never> {
  const { ttlMs, staleMs = 0, maxEntries = 1000 } = options;
  const most = options.tags === undefined ? {} : { max: MAX_TAGGED_MS };
  expectInteger('withCache ttlMs', ttlMs, { min: 1, ...most });
  expectInteger('withCache staleMs', staleMs, { min: 0, ...most });
  expectInteger('withCache maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  const wrap = (next: Next, operation: EnhancedOperation): Next => {
    const { key } = operation;
    expectCacheable(operation, options);
    const state = enhancerStateOf(operation);
    const space = claimSpace(operation, `cache:${key}`);
    const load = async (): Promise<Next> => {
      const codec = await loadAnswerCodec();
      const tags = await openTags(state);
      const store = await state.open({ name: space, maxEntries });
      return createCachedNext(next, {
        codec,
        tags,
        store,
        space,
        ttlMs,
        staleMs,
        refreshMs: state.timeoutMs,
        keyOf: createKeyOf(options),
        tagsOf: (options.tags as CacheParts['tagsOf'] | undefined) ?? (() => []),
        onFault: (error) =>
          state.logger?.warn(
            `[capix] withCache on ${key}: a new answer could not be made, the old one stays for a while: ` +
              String(error),
          ),
      });
    };
    return whenLoaded(load());
  };
  return createEnhancer<Input, Ctx>(
    wrap as never,
    { name: 'withCache', settings: { ttlMs, maxEntries, ...(staleMs === 0 ? {} : { staleMs }) } },
    { usesServer: true, kind: 'cache' },
  );
}

function expectCacheable({ key, intent, guarded }: EnhancedOperation, { scope, key: ownKey }: CacheOptions): void {
  if (intent !== 'query')
    throw new TypeError(
      `withCache on \`${key}\`: its intent is \`${intent}\`, so a cached answer would leave the change undone. ` +
        `Remove withCache, or declare the intent \`query\`.`,
    );
  if (guarded && scope === undefined && ownKey === undefined)
    throw new TypeError(
      `withCache on \`${key}\`: the capability is guarded, so one user could get the answer of another. Say ` +
        `whose answers these are: withCache({…, scope: (ctx) => ctx.user.id}), or scope: () => 'all' where ` +
        'everybody who passes the guard gets the same.',
    );
}

/** An input that holds a file, a stream or an instance of a class has no key. */
function createKeyOf(options: CacheOptions): CacheParts['keyOf'] {
  const { scope: scopeOf, key: keyOf = (input: unknown) => toPartsText(input) } = options;
  return (input, ctx) => {
    const scope = scopeOf?.(ctx as never);
    if (scopeOf !== undefined && scope === undefined) return undefined;
    const key = keyOf(input as never, ctx as never);
    return key === undefined || scope === undefined ? key : `${JSON.stringify(scope)} ${key}`;
  };
}
