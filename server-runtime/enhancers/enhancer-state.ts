import { createHash, randomUUID } from 'node:crypto';
import { findCallRequest } from '../capability/context.ts';
import type { EnhancedOperation, Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { isPromise, type MaybePromise, readThrown } from '../errors/failure.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { Store } from '../stores/store.ts';

/** The longest time that an answer with tags is kept, and an invalidation known, milliseconds (30 days). */
export const MAX_TAGGED_MS = 2_592_000_000;

/** Everything that the enhancers of one server keep between calls, in spaces that have names. */
export interface EnhancerState {
  /** The store of the server, or where it has none, that of a space in memory. */
  readonly open: (space: string, maxEntries: number) => Promise<AskedStore>;
  readonly openMemory: (space: string, maxEntries: number) => Promise<Store>;
  readonly given: AskedStore | undefined;
  /** When answers of some tags were invalidated last: read before the handler runs, for what is made meanwhile. */
  readonly readTags: (names: readonly string[]) => Promise<string | typeof AWAY>;
  /** Puts every answer of these tags out of date, in all processes. Gives false where the store is away. */
  readonly invalidateTags: (names: readonly string[]) => Promise<boolean>;
  readonly logger: Pick<Console, 'info' | 'warn' | 'error'> | undefined;
}

export function createEnhancerState(
  store?: Store,
  logger?: EnhancerState['logger'],
): EnhancerState {
  const memories = new Map<string, Promise<Store>>();
  const openMemory = (space: string, maxEntries: number): Promise<Store> => {
    const load = async () =>
      (await import('../stores/memory-store.ts')).createMemoryStore({ maxEntries });
    const opened = memories.get(space) ?? load();
    opened.catch(() => {});
    memories.set(space, opened);
    return opened;
  };
  const given = store && createAskedStore(store, logger);
  const open = async (space: string, maxEntries: number): Promise<AskedStore> =>
    given ?? createAskedStore(await openMemory(space, maxEntries), logger);
  let tags: Promise<AskedStore> | undefined;
  async function askTags<T>(
    names: readonly string[],
    question: (of: Store, key: string) => MaybePromise<T>,
  ) {
    const asked = await (tags ??= open('tags', 100_000));
    return Promise.all(
      names.map(async (name) => asked.ask((of) => question(of, toStoreKey('tag', name)))),
    );
  }
  const readTags = async (names: readonly string[]): Promise<string | typeof AWAY> => {
    const texts = await askTags(names, (of, key) => of.get(key));
    return texts.includes(AWAY) ? AWAY : texts.join(',');
  };
  const invalidateTags = async (names: readonly string[]): Promise<boolean> =>
    !(await askTags(names, (of, key) => of.set(key, randomUUID(), MAX_TAGGED_MS))).includes(AWAY);
  return { open, openMemory, given, readTags, invalidateTags, logger };
}

export interface OperationState extends EnhancerState {
  /** A name for a space of the operation: the same in every process, another one for a second enhancer. */
  readonly claim: (name: string) => string;
}

const states = new WeakMap<EnhancedOperation, OperationState>();

/** Gives the enhancers of an operation the state of their server; outside of one, each operation has its own. */
export function setEnhancerState(
  operation: EnhancedOperation,
  state = createEnhancerState(),
): OperationState {
  const claimed = new Set<string>();
  const claim = (name: string): string => {
    if (claimed.has(name)) return claim(`${name}#`);
    claimed.add(name);
    return name;
  };
  const made = { ...state, claim };
  states.set(operation, made);
  return made;
}

export function enhancerStateOf(operation: EnhancedOperation): OperationState {
  return states.get(operation) ?? setEnhancerState(operation);
}

/** Given in the place of an answer that a store did not give in time. */
export const AWAY: unique symbol = Symbol('away');

const PATIENCE_MS = 1000;

/** Asks a store, each question on its own: one that is slow or fails concerns its caller alone. */
export type AskedStore = ReturnType<typeof createAskedStore>;

/** After a question without an answer, a harmless one in the background tells whether the store is away. */
function createAskedStore(store: Store, logger: EnhancerState['logger']) {
  const name = `[capix] The store '${store.name}'`;
  let isAway = false;
  let isStopped = false;
  let looking: Promise<void> | undefined;

  async function look(unanswered?: string): Promise<void> {
    const ask = async (): Promise<undefined> => void (await store.get('start'));
    const reason = await answerWithin(ask(), PATIENCE_MS).catch(
      (error: unknown) => readThrown(error).message,
    );
    if (isStopped) return;
    const wasAway = isAway;
    isAway = reason !== undefined;
    if (isAway && !wasAway) logger?.warn(`${name} does not answer: ${reason}`);
    else if (wasAway && !isAway) logger?.info(`${name} answers again.`);
    else if (!isAway && unanswered === undefined) return void (looking = undefined);
    else if (!isAway) logger?.warn(`${name} has left a question unanswered: ${unanswered}`);
    const again = (): void => void (looking = isAway && !isStopped ? look() : undefined);
    setTimeout(again, PATIENCE_MS).unref?.();
  }
  function fail(error: unknown): typeof AWAY {
    if (!isStopped) looking ??= look(readThrown(error).message);
    return AWAY;
  }

  return {
    /** The answer, or `AWAY` where the question failed or had no answer within a second. Never rejects. */
    ask: <T>(question: (of: Store) => MaybePromise<T>): MaybePromise<T | typeof AWAY> => {
      try {
        const answer = question(store);
        return isPromise(answer) ? answerWithin(answer, PATIENCE_MS).catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
    isAway: () => isAway,
    /** Looks whether it answers, and says so where it does not; gives way after a second. */
    start: (): Promise<void> => {
      isStopped = false;
      looking = look();
      return looking;
    },
    stop: (): MaybePromise<void> => {
      isStopped = true;
      return store.stop?.();
    },
  };
}

export function storeAway(): Error {
  return defaultErrors.ServiceUnavailable('Unavailable for the moment; try again in 1 s', {
    retryAfterSeconds: 1,
  });
}

/** A key of a store, `space:text`, of a bounded length: a longer text is its digest. */
export function toStoreKey(space: string, text: string): string {
  // The digest begins as no text does, so that it is none.
  return `${space}:${text.length <= 120 ? text : `\u0001${toDigest(text)}`}`;
}

export function toDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

export type By<Input = never, Ctx = never> =
  | 'address'
  | ((input: Input, ctx: Ctx) => string | undefined);

/** A text for each caller: `u:…` for one whom the function knows, `a:…` by the place of the address for others. */
export function createCallerOf(
  by: By | undefined,
  toPlace = (address: string | undefined, _ctx: unknown): string => address ?? '',
): (input: unknown, ctx: unknown) => string {
  if (by === undefined) return () => '';
  return (input, ctx) => {
    const caller = by === 'address' ? undefined : by(input as never, ctx as never);
    return caller === undefined
      ? `a:${toPlace(findCallRequest(ctx)?.remoteAddress, ctx)}`
      : `u:${caller}`;
  };
}

/** A step that needs what is loaded first: calls that come before it is there wait for it, and later ones do not. */
export function whenLoaded(loading: Promise<Next>): Next {
  let loaded: Next | undefined;
  loading.then((step) => (loaded = step)).catch(() => {});
  return (input, ctx) =>
    loaded === undefined ? loading.then((step) => step(input, ctx)) : loaded(input, ctx);
}

export function findSignal(ctx: unknown): AbortSignal | undefined {
  const signal = (ctx as { readonly signal?: unknown } | null | undefined)?.signal;
  return signal instanceof AbortSignal ? signal : undefined;
}
