import { findCallRequest } from '../capability/context.ts';
import type { EnhancedOperation, Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { readThrown } from '../errors/failure.ts';
import { isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { Store } from '../stores/store.ts';

/** The longest time that tagged answers are stored and invalidations remembered, milliseconds (30 days). */
export const MAX_TAGGED_MS = 2_592_000_000;

/** Everything that the enhancers of one server keep between calls, in spaces that have names. */
export interface EnhancerState {
  /** Gives the store of the server, or where it has none, that of a space in memory. */
  readonly open: (space: string, maxEntries: number) => Promise<PatientStore>;
  readonly openMemory: (space: string, maxEntries: number) => Promise<Store>;
  /** The store that the processes of the server share; undefined where it has none. */
  readonly shared: PatientStore | undefined;
  /**
   * Reads when answers with these tags were invalidated last. Callers read it before the handler runs, so that an
   * invalidation in the meantime counts.
   */
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
  if (logger !== undefined) store?.topics?.logTo(logger);
  const shared = store && new WatchedStore(store, logger);
  const open = async (space: string, maxEntries: number): Promise<PatientStore> =>
    shared ?? new WatchedStore(await openMemory(space, maxEntries), logger);
  let tags: Promise<PatientStore> | undefined;
  async function askTags<T>(
    names: readonly string[],
    question: (of: Store, key: string) => MaybePromise<T>,
  ) {
    tags ??= open('tags', 100_000);
    const stored = await tags;
    return Promise.all(
      names.map(async (name) => stored.ask((of) => question(of, toStoreKey('tag', name)))),
    );
  }
  const readTags = async (names: readonly string[]): Promise<string | typeof AWAY> => {
    const texts = await askTags(names, (of, key) => of.get(key));
    return texts.includes(AWAY) ? AWAY : texts.join(',');
  };
  const invalidateTags = async (names: readonly string[]): Promise<boolean> =>
    !(await askTags(names, (of, key) => of.set(key, crypto.randomUUID(), MAX_TAGGED_MS))).includes(
      AWAY,
    );
  return { open, openMemory, shared, readTags, invalidateTags, logger };
}

interface OperationState extends EnhancerState {
  /** A name for a space of the operation: the same in every process, another one for a second enhancer. */
  readonly claim: (name: string) => string;
}

/** An operation belongs to one server, and is the user's to look at, so its state stands beside it. */
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

/** Stands in the place of an answer that a store did not give in time. */
export const AWAY: unique symbol = Symbol('away');

const PATIENCE_MS = 1000;

/** A store that every caller waits for at most a second, so that a slow question delays its own caller alone. */
export interface PatientStore {
  /** The answer, or `AWAY` where the question failed or had no answer within a second. Never rejects. */
  ask<T>(question: (of: Store) => MaybePromise<T>): MaybePromise<T | typeof AWAY>;
  isAway(): boolean;
  /**
   * Sends a first question, and warns in the log where the store does not answer it. Fulfils after a second at the
   * latest.
   */
  start(): Promise<void>;
  stop(): MaybePromise<void>;
}

/** The state of a store. After a question without an answer, a harmless question checks the store once a second. */
type Reachability = 'answering' | 'away' | 'stopped';

class WatchedStore implements PatientStore {
  readonly #store: Store;
  readonly #logger: EnhancerState['logger'];
  readonly #name: string;
  #state: Reachability = 'answering';
  /** The probe that runs, or the pause after one: there is one at a time. */
  #watch: Promise<void> | undefined = undefined;

  constructor(store: Store, logger: EnhancerState['logger']) {
    this.#store = store;
    this.#logger = logger;
    this.#name = `[capix] The store '${store.name}'`;
  }

  ask<T>(question: (of: Store) => MaybePromise<T>): MaybePromise<T | typeof AWAY> {
    try {
      const answer = question(this.#store);
      return isPromise(answer)
        ? answerWithin(answer, PATIENCE_MS).catch((error: unknown) => this.#giveUp(error))
        : answer;
    } catch (error) {
      return this.#giveUp(error);
    }
  }

  isAway(): boolean {
    return this.#state === 'away';
  }

  start(): Promise<void> {
    this.#state = 'answering';
    this.#watch = this.#probe();
    return this.#watch;
  }

  stop(): MaybePromise<void> {
    this.#state = 'stopped';
    return this.#store.stop?.();
  }

  #giveUp(error: unknown): typeof AWAY {
    if (this.#state !== 'stopped') this.#watch ??= this.#probe(readThrown(error).message);
    return AWAY;
  }

  /** Asks a harmless question, and logs a change. `unanswered` is the reason why another question has no answer. */
  async #probe(unanswered?: string): Promise<void> {
    const question = async (): Promise<undefined> => void (await this.#store.get('start'));
    const reason = await answerWithin(question(), PATIENCE_MS).catch(
      (error: unknown) => readThrown(error).message,
    );
    if (this.#state === 'stopped') return;
    const wasAway = this.#state === 'away';
    this.#state = reason === undefined ? 'answering' : 'away';
    this.#logChange(wasAway, { reason, unanswered });
    const isQuiet = !wasAway && reason === undefined && unanswered === undefined;
    if (isQuiet) this.#watch = undefined;
    else setTimeout(() => this.#probeAgain(), PATIENCE_MS).unref?.();
  }

  /** Called a second after a probe, so that a store that fails now and then is in the log once a second at most. */
  #probeAgain(): void {
    this.#watch = this.#state === 'away' ? this.#probe() : undefined;
  }

  #logChange(
    wasAway: boolean,
    { reason, unanswered }: Readonly<Record<'reason' | 'unanswered', string | undefined>>,
  ): void {
    if (reason !== undefined) {
      if (!wasAway) this.#logger?.warn(`${this.#name} does not answer: ${reason}`);
    } else if (wasAway) this.#logger?.info(`${this.#name} answers again.`);
    else if (unanswered !== undefined)
      this.#logger?.warn(`${this.#name} has left a question unanswered: ${unanswered}`);
  }
}

export function storeAway(): Error {
  return defaultErrors.ServiceUnavailable('Unavailable for the moment; try again in 1 s', {
    retryAfterSeconds: 1,
  });
}

/** A key of a store, `space:text`, of a bounded length: a longer text is its digest. */
export function toStoreKey(space: string, text: string): string {
  // A digest starts with a character that no text starts with, so that the two never collide.
  return `${space}:${text.length <= 120 ? text : `\u0001${toDigest(text)}`}`;
}

export function toDigest(content: string | Uint8Array): string {
  // An import would read all that the module exports, Web Crypto too, at each start: 8 ms and 3 MiB.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(content)
    .digest('base64url');
}

export type By<Input = never, Ctx = never> =
  | 'address'
  | ((input: Input, ctx: Ctx) => string | undefined);

/** A text for each caller: `u:…` where the function knows the caller, else `a:…` by the address. */
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

/** A step that has to be loaded first: early calls wait until it is loaded, and later ones run at once. */
export function whenLoaded(loading: Promise<Next>): Next {
  let loaded: Next | undefined;
  const keep = (step: Next): void => {
    loaded = step;
  };
  loading.then(keep).catch(() => {});
  return (input, ctx) =>
    loaded === undefined ? loading.then((step) => step(input, ctx)) : loaded(input, ctx);
}

export function findSignal(ctx: unknown): AbortSignal | undefined {
  const signal = (ctx as { readonly signal?: unknown } | null | undefined)?.signal;
  return signal instanceof AbortSignal ? signal : undefined;
}
