import {
  type Answer,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
  withAdded,
} from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { andThen, isPromise, type MaybePromise } from '../errors/failure.ts';
import { untilAborted } from '../resources/item-source.ts';
import { type AnswerCodec, loadAnswerCodec, toPartsText } from './answer-text.ts';
import { AWAY, enhancerStateOf, findSignal, toStoreKey, whenLoaded } from './enhancer-state.ts';
import { MAX_TAGGED_MS, openTags, readTags } from './invalidates.ts';

/** The options of `withCache`: what it keeps, for whom, and how long. */
export interface CacheOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is kept, milliseconds. */
  readonly ttlMs: number;
  /** The time after it in which the old answer is given while a new one is made, once, milliseconds. @default 0 */
  readonly staleMs?: number | undefined;
  /** Answers kept without a store; the one that was unused longest makes room. @default 1000 */
  readonly maxEntries?: number | undefined;
  /** Whose answers these are; undefined is not cached. A guarded capability must say it. @default everybody shares */
  readonly scope?: ((ctx: Ctx) => string | undefined) | undefined;
  /** The part of the input that makes answers differ; undefined is not cached. @default the whole input */
  readonly key?: ((input: Input, ctx: Ctx) => string | undefined) | undefined;
  /** Names under which answers are put out of date, by `invalidates` or `server.invalidate`. @default none */
  readonly tags?: ((input: Input, ctx: Ctx) => readonly string[]) | undefined;
}

/**
 * Keeps the answers of a query in the store of the server, else in memory. Callers who ask for the same at once wait
 * for one handler, and each gets a copy. Errors, replies with a status from 400 or with `set-cookie`, and what a text
 * cannot hold are not kept. While the store does not answer, the handler runs.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a capability that changes data and
 * on a guarded one without `scope` or `key`
 */
export function withCache<Input, Ctx>(options: CacheOptions<Input, Ctx>): Enhancer<Input, Ctx, unknown, never> {
  const { ttlMs, staleMs = 0, maxEntries = 1000 } = options;
  const most = options.tags === undefined ? {} : { max: MAX_TAGGED_MS };
  expectInteger('withCache ttlMs', ttlMs, { min: 1, ...most });
  expectInteger('withCache staleMs', staleMs, { min: 0, ...most });
  expectInteger('withCache maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  const wrap = (next: Next, operation: EnhancedOperation): Next => {
    expectCacheable(operation, options);
    return whenLoaded(loadCached(next, operation, { ...options, staleMs, maxEntries }));
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

interface CachedCall extends Readonly<Record<'input' | 'ctx', unknown>> {
  readonly key: string;
  /** When its tags were invalidated last; undefined while the store does not say, and nothing is kept. */
  readonly stamp: string | undefined;
}

/** An answer as it is kept, in one record, so that no key of an input can be a mark. Milliseconds since 1970. */
interface Kept {
  readonly stamp: string;
  readonly freshUntil: number;
  readonly keptUntil: number;
  readonly text: string;
}

/** An answer that is being made, and whether its caller has left meanwhile. */
interface Flight {
  readonly text: Promise<string | undefined>;
  readonly signal: AbortSignal | undefined;
}

type LoadedOptions = CacheOptions & { readonly staleMs: number; readonly maxEntries: number };

async function loadCached(next: Next, operation: EnhancedOperation, options: LoadedOptions): Promise<Next> {
  const { ttlMs, staleMs, maxEntries, tags: tagsOf } = options;
  const state = enhancerStateOf(operation);
  const space = state.claim(`cache:${operation.key}`);
  const [codec, tags, store] = await Promise.all([loadAnswerCodec(), openTags(state), state.open(space, maxEntries)]);
  const keyOf = createKeyOf(options);

  /** The text of an answer that is as good for the next caller: it succeeded, and sets nobody's cookie. */
  function keep({ key, stamp }: CachedCall, value: unknown): MaybePromise<string | undefined> {
    const text = isForAll(value) ? codec.write(value) : undefined;
    if (text === undefined || stamp === undefined) return text;
    const freshUntil = Date.now() + ttlMs;
    const record = toRecord({ stamp, freshUntil, keptUntil: freshUntil + staleMs, text });
    const written = store.ask((to) => to.set(key, record, ttlMs + staleMs));
    return andThen(written, () => text);
  }

  /** One process at a time makes the new answer, within a time and with its own signal; others give the old one. */
  async function refresh(call: CachedCall, record: string, kept: Kept): Promise<void> {
    const now = Date.now();
    const to = toRecord({ ...kept, freshUntil: now + state.timeoutMs });
    const change = { from: record, to, ttlMs: Math.max(1, kept.keptUntil - now) };
    if ((await store.ask((of) => of.swap(call.key, change))) !== true) return;
    const signal = AbortSignal.timeout(state.timeoutMs);
    const made = async (): Promise<Answer> => next(call.input, withAdded(call.ctx, { signal }));
    await keep(call, await untilAborted(made(), signal));
  }
  const share = createSharing(next, codec, keep);
  const onFault = (error: unknown): void =>
    state.logger?.warn(
      `[capix] withCache on ${operation.key}: a new answer could not be made, the old one stays: ${String(error)}`,
    );

  return (input, ctx) => {
    const text = keyOf(input, ctx);
    if (text === undefined) return next(input, ctx);
    const call = { input, ctx, key: toStoreKey(space, text), stamp: undefined };
    if (store.isAway()) return share(call);
    // All that is asked of the store is asked at once, so that a call waits for one answer of it.
    const stamped = tagsOf === undefined ? '' : readTags(tags, tagsOf(input as never, ctx as never));
    const found = store.ask((from) => from.get(call.key));
    return andThen(stamped, (stamp) =>
      andThen(found, (record) => {
        if (stamp === AWAY || record === AWAY) return share(call);
        const kept = record === undefined ? undefined : readRecord(record);
        if (record === undefined || kept?.stamp !== stamp) return share({ ...call, stamp });
        if (staleMs > 0 && kept.freshUntil <= Date.now()) refresh({ ...call, stamp }, record, kept).catch(onFault);
        return codec.read(kept.text);
      }),
    );
  };
}

/** Callers who come while an answer is being made wait for that one, unless its tags were invalidated since. */
function createSharing(
  next: Next,
  { read }: AnswerCodec,
  keep: (call: CachedCall, value: unknown) => MaybePromise<string | undefined>,
): (call: CachedCall) => MaybePromise<Answer> {
  const flights = new Map<string, Flight>();

  /** An answer that cannot be kept is made for each caller; so is one whose caller left, which may have ended it. */
  async function follow({ input, ctx }: CachedCall, { text, signal }: Flight): Promise<Answer> {
    try {
      const made = await text;
      if (made !== undefined) return read(made);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
    return next(input, ctx);
  }

  return (call) => {
    const name = `${call.key}\n${call.stamp}`;
    const flight = flights.get(name);
    if (flight !== undefined) return follow(call, flight);
    const value = next(call.input, call.ctx);
    if (!isPromise(value)) return andThen(keep(call, value), () => value);
    const text = Promise.resolve(value).then((made) => keep(call, made));
    flights.set(name, { text, signal: findSignal(call.ctx) });
    const land = (): void => void flights.delete(name);
    text.then(land, land);
    return text.then(() => value);
  };
}

/** An input that holds a file, a stream or an instance of a class has no key. */
function createKeyOf({
  scope: scopeOf,
  key: keyOf,
}: CacheOptions): (input: unknown, ctx: unknown) => string | undefined {
  return (input, ctx) => {
    const scope = scopeOf?.(ctx as never);
    if (scopeOf !== undefined && scope === undefined) return undefined;
    const key = keyOf === undefined ? toPartsText(input) : keyOf(input as never, ctx as never);
    return key === undefined || scope === undefined ? key : `${JSON.stringify(scope)} ${key}`;
  };
}

function toRecord({ stamp, freshUntil, keptUntil, text }: Kept): string {
  return `${stamp} ${freshUntil} ${keptUntil}\n${text}`;
}

function readRecord(record: string): Kept {
  const at = record.indexOf('\n');
  const [stamp = '', freshUntil, keptUntil] = record.slice(0, at).split(' ');
  return { stamp, freshUntil: Number(freshUntil), keptUntil: Number(keptUntil), text: record.slice(at + 1) };
}

function isForAll(value: unknown): boolean {
  if (!isReply(value)) return true;
  const { status = 200, headers } = value;
  return status < 400 && !Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie');
}
