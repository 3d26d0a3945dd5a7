import type { LRUCache } from 'lru-cache';
import {
  type Answer,
  defineEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { andThen } from '../errors/outcome.ts';
import { toCacheKey } from './cache-key.ts';
import { copyData } from './copy-data.ts';
import { expectInteger } from './expect-integer.ts';
import { withLibrary } from './with-library.ts';

/** The options of `withCache`: what it keeps, for whom, and how long. */
export interface CacheOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is kept, milliseconds. */
  readonly ttlMs: number;
  /** Answers kept; the one that was unused longest makes room. @default 1000 */
  readonly maxEntries?: number | undefined;
  /**
   * Whose answers these are: `(ctx) => ctx.user.id`. Callers of one scope share answers; undefined is not cached.
   * A guarded capability must say it. @default everybody shares
   */
  readonly scope?: ((ctx: Ctx) => string | undefined) | undefined;
  /** The part of the input that makes answers differ; undefined is not cached. @default the whole input */
  readonly key?: ((input: Input, ctx: Ctx) => string | undefined) | undefined;
}

/**
 * Keeps the answers of a query in memory. Not kept are errors, replies with a status from 400 or with `set-cookie`, and values that can be
 * read only once (streams, responses). Every caller gets a copy, in which instances of classes are the same.
 * Guards and validation run before it, every time. Each capability has a cache of its own.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a capability that changes data and on a
 * guarded one without `scope` or `key`
 *
 * @example
 * ```ts
 * interface Context { readonly user: { readonly id: string } }
 *
 * export const listOrders = capability
 *   .withContext<Context>()(z.object({ page: z.number().default(1) }), ({ page }) => ({ page, orders: [] }))
 *   .enhance(withCache({ ttlMs: 30_000, scope: (ctx) => ctx.user.id }));
 * ```
 */
export function withCache<Input, Ctx>(options: CacheOptions<Input, Ctx>): Enhancer<Input, Ctx, unknown, never> {
  const { ttlMs, maxEntries = 1000 } = options;
  expectInteger('withCache ttlMs', ttlMs, { min: 1 });
  expectInteger('withCache maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  return defineEnhancer<Input, Ctx>(
    (next, operation) => {
      expectCacheable(operation, options);
      return withLibrary(
        () => import('lru-cache'),
        ({ LRUCache }) =>
          cached(next as Next, { keyOf: createKeyOf(options), cache: new LRUCache({ max: maxEntries, ttl: ttlMs }) }),
      );
    },
    { name: 'withCache', settings: { ttlMs, maxEntries } },
  );
}

/** A kept answer stands in an object, because a cache cannot hold undefined itself. */
interface Entry {
  readonly value: Answer;
}

interface Caching {
  readonly keyOf: KeyOf;
  readonly cache: LRUCache<string, Entry>;
}

function cached(next: Next, { keyOf, cache }: Caching): Next {
  return (input, ctx) => {
    const key = keyOf(input, ctx);
    if (key === undefined) return next(input, ctx);
    const entry = cache.get(key);
    if (entry !== undefined) return copyData(entry.value) as Answer;
    return andThen(next(input, ctx), (value) => {
      const kept = isForAll(value) ? tryCopy(value) : undefined;
      if (kept !== undefined) cache.set(key, kept);
      return value;
    });
  };
}

function expectCacheable({ key, intent, guarded }: EnhancedOperation, { scope, key: ownKey }: CacheOptions): void {
  if (intent !== 'query') {
    throw new TypeError(
      `withCache on \`${key}\`: its intent is \`${intent}\`, so a cached answer would leave the change undone. Remove withCache, or declare the intent \`query\`.`,
    );
  }
  if (guarded && scope === undefined && ownKey === undefined) {
    throw new TypeError(
      `withCache on \`${key}\`: the capability is guarded, so one user could get the answer of another. Say whose answers these are: withCache({…, scope: (ctx) => ctx.user.id}), or scope: () => 'all' where everybody who passes the guard gets the same.`,
    );
  }
}

type KeyOf = (input: unknown, ctx: unknown) => string | undefined;

function createKeyOf(options: CacheOptions): KeyOf {
  const scopeOf = options.scope as ((ctx: unknown) => string | undefined) | undefined;
  const keyOf = (options.key as KeyOf | undefined) ?? toCacheKey;
  if (scopeOf === undefined) return keyOf;
  return (input, ctx) => {
    const scope = scopeOf(ctx);
    const key = scope === undefined ? undefined : keyOf(input, ctx);
    return key === undefined ? undefined : `${JSON.stringify(scope)} ${key}`;
  };
}

/** Undefined for what cannot be copied. */
function tryCopy(value: unknown): Entry | undefined {
  try {
    return { value: copyData(value) as Answer };
  } catch {
    return undefined;
  }
}

/** Whether an answer is as good for the next caller: it succeeded, it sets nobody's cookie, and it can be read again. */
function isForAll(value: unknown): boolean {
  if (!isReply(value)) return !isReadOnce(value);
  const { data, status = 200, headers } = value;
  return status < 400 && !Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie') && !isReadOnce(data);
}

function isReadOnce(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    Symbol.asyncIterator in value ||
    'getReader' in value ||
    value instanceof Response ||
    typeof (value as { next?: unknown }).next === 'function'
  );
}
