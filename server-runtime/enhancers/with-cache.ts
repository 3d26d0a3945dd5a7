import { createEnhancer, type EnhancedOperation, type Enhancer, type Next } from '../capability/enhancer.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { loadAnswerCodec } from './answer-codec.ts';
import { createCachedNext } from './cached-next.ts';
import { claimSpace, enhancerStateOf, withLibrary } from './enhancer-state.ts';
import { MAX_TAGGED_MS, openTags } from './invalidates.ts';

/** The options of `withCache`: what it keeps, for whom, and how long. */
export interface CacheOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is kept, milliseconds. */
  readonly ttlMs: number;
  /**
   * The time after `ttlMs` in which the old answer is still given at once while the handler makes a new one, once, for
   * later callers, milliseconds. @default 0
   */
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
  return createEnhancer<Input, Ctx>(
    (next, operation) => {
      expectCacheable(operation, options);
      const state = enhancerStateOf(operation);
      const space = claimSpace(operation, `cache:${operation.key}`);
      const open = async () =>
        Promise.all([loadAnswerCodec(), openTags(state), state.open({ name: space, maxEntries })]);
      return withLibrary(open, ([codec, tags, store]) =>
        createCachedNext(next as Next, {
          store,
          tags,
          codec,
          space,
          ttlMs,
          staleMs,
          refreshMs: state.timeoutMs,
          keyOf: createKeyOf(options),
          tagsOf: (options.tags as TagsOf | undefined) ?? (() => []),
          onFault: (error) =>
            state.logger?.warn(
              `[capix] withCache on ${operation.key}: a new answer could not be made, the old one stays for a ` +
                `while: ${String(error)}`,
            ),
        }),
      );
    },
    { name: 'withCache', settings: { ttlMs, maxEntries, ...(staleMs === 0 ? {} : { staleMs }) } },
    { usesServer: true, kind: 'cache' },
  );
}

type TagsOf = (input: unknown, ctx: unknown) => readonly string[];

function expectCacheable({ key, intent, guarded }: EnhancedOperation, { scope, key: ownKey }: CacheOptions): void {
  if (intent !== 'query') {
    throw new TypeError(
      `withCache on \`${key}\`: its intent is \`${intent}\`, so a cached answer would leave the change undone. ` +
        `Remove withCache, or declare the intent \`query\`.`,
    );
  }
  if (guarded && scope === undefined && ownKey === undefined) {
    throw new TypeError(
      `withCache on \`${key}\`: the capability is guarded, so one user could get the answer of another. Say ` +
        `whose answers these are: withCache({…, scope: (ctx) => ctx.user.id}), or scope: () => 'all' where ` +
        'everybody who passes the guard gets the same.',
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

/** A value that is nested deeper has no key: keys are written by functions that call themselves. */
const MAX_DEPTH = 100;

/**
 * A text that is equal for equal inputs, whatever the order of their fields. Undefined for an input that holds
 * something without a text of its own: a file, a stream, an instance of a class, itself; and for one that is nested
 * very deep.
 */
export function toCacheKey(input: unknown): string | undefined {
  return write(input, new Set());
}

/** `above` is what `value` is in. One set serves the walk: a copy a level would make it quadratic. */
function write(value: unknown, above: Set<object>): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return `${value}n`;
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : writeInside(value, above);
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function writeInside(value: object, above: Set<object>): string | undefined {
  if (above.size === MAX_DEPTH || above.has(value)) return undefined;
  above.add(value);
  const text = toObjectKey(value, above);
  above.delete(value);
  return text;
}

function toObjectKey(value: object, above: Set<object>): string | undefined {
  if (Array.isArray(value))
    return join(
      '[]',
      value.map((item) => write(item, above)),
    );
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = fields.map(([name, field]) => {
    const text = write(field, above);
    return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
  });
  return join('{}', parts);
}

function join(brackets: '[]' | '{}', parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : `${brackets[0]}${parts.join(',')}${brackets[1]}`;
}
