import { createHash } from 'node:crypto';
import { findCallRequest } from '../capability/call-request.ts';
import type { EnhancedOperation } from '../capability/enhancer.ts';
import { isPromise, type MaybePromise } from '../errors/failure.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { Store } from '../stores/store.ts';

/** The parts of a logger that are needed here. */
export interface StateLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, details?: { readonly requestId?: string | undefined }): void;
}

/** A part of the state, with a name that no other part has. */
export interface Space {
  readonly name: string;
  /** Entries that are kept, where the memory of the process keeps them. */
  readonly maxEntries: number;
}

/** Everything that the enhancers of one server keep between calls. */
export interface EnhancerState {
  /** The store of a space: that of the server, or where it has none, one in memory that is loaded with the first. */
  readonly open: (space: Space) => MaybePromise<AskedStore>;
  /** The store of a space in the memory of the process, loaded with the first. */
  readonly openMemory: (space: Space) => Promise<Store>;
  /** The store that the server was given. */
  readonly given: AskedStore | undefined;
  /** Says where a store that the server was given is away; gives way after a second. */
  readonly start: () => MaybePromise<void>;
  readonly stop: () => MaybePromise<void>;
  readonly logger: StateLogger | undefined;
  /** The time that a call may take, milliseconds. */
  readonly timeoutMs: number;
}

/** The parts of a server that its enhancers need. */
interface StateOptions {
  /** @default the memory of the process */
  readonly store?: Store | undefined;
  readonly logger?: StateLogger | undefined;
  /** Milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

export function createEnhancerState({ store, logger, timeoutMs = 30_000 }: StateOptions = {}): EnhancerState {
  const spaces = new Map<string, Promise<Store>>();
  const load = async (maxEntries: number): Promise<Store> => {
    const { createMemoryStore } = await import('../stores/memory-store.ts');
    return createMemoryStore({ maxEntries });
  };
  const openMemory = ({ name, maxEntries }: Space): Promise<Store> => {
    const opened = spaces.get(name) ?? load(maxEntries);
    spaces.set(name, opened);
    return opened;
  };
  if (store !== undefined) {
    const given = createGivenStore(store, logger);
    return { open: () => given, openMemory, given, start: given.start, stop: given.stop, logger, timeoutMs };
  }
  const open = async (space: Space): Promise<AskedStore> => {
    const memory = await openMemory(space);
    return { ask: (question) => question(memory), isAway: () => false, start: async () => {}, stop: () => {} };
  };
  return { open, openMemory, given: undefined, start: () => {}, stop: () => {}, logger, timeoutMs };
}

function createGivenStore(store: Store, logger: StateLogger | undefined): AskedStore {
  const { name } = store;
  return createAskedStore(store, {
    onAway: (error) => logger?.warn(`[capix] The store '${name}' does not answer: ${toReason(error)}`),
    onBack: () => logger?.info(`[capix] The store '${name}' answers again.`),
    onFault: (error) => logger?.warn(`[capix] The store '${name}' has left a question unanswered: ${toReason(error)}`),
  });
}

/** A sentence. */
function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const states = new WeakMap<EnhancedOperation, EnhancerState>();
const claimed = new WeakMap<EnhancedOperation, Map<string, number>>();

/** Gives the enhancers of an operation the state of their server. */
export function setEnhancerState(operation: EnhancedOperation, state: EnhancerState): void {
  states.set(operation, state);
}

/** The state of the server; outside of one, a state of the operation's own in memory. */
export function enhancerStateOf(operation: EnhancedOperation): EnhancerState {
  const state = states.get(operation) ?? createEnhancerState();
  states.set(operation, state);
  return state;
}

/** A name for a space of this operation: the same in every process, another one for a second enhancer. */
export function claimSpace(operation: EnhancedOperation, name: string): string {
  const names = claimed.get(operation) ?? new Map<string, number>();
  claimed.set(operation, names);
  const before = names.get(name) ?? 0;
  names.set(name, before + 1);
  return before === 0 ? name : `${name}#${before + 1}`;
}

/** Given in the place of an answer that a store did not give in time. */
export const AWAY: unique symbol = Symbol('away');

/** A store as enhancers ask it. */
export interface AskedStore {
  /** The answer, or `AWAY` where the question failed or had no answer within a second. Never rejects. */
  readonly ask: <T>(question: (store: Store) => MaybePromise<T>) => MaybePromise<T | typeof AWAY>;
  /** Whether the store answers nobody at the moment: for the cache, which does without it. */
  readonly isAway: () => boolean;
  /** Looks whether the store answers, and says so where it does not; gives way after a second. */
  readonly start: () => Promise<void>;
  readonly stop: () => MaybePromise<void>;
}

export interface StoreEvents {
  /** The store answers nobody. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** One question failed, and the store answers others. */
  readonly onFault: (error: unknown) => void;
}

/** The time that a store has for an answer, and that passes between two looks at it, milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Asks a store, each question on its own: one that is slow or fails concerns its caller alone. After such a one, a
 * harmless question in the background tells a store that is away, which is asked again each second until it answers,
 * from a question that it cannot answer.
 */
export function createAskedStore(store: Store, { onAway, onBack, onFault }: StoreEvents): AskedStore {
  let isAway = false;
  let isStopped = false;
  let looking: Promise<void> | undefined;

  async function look(fault?: { readonly error: unknown }): Promise<void> {
    try {
      await answerWithin(Promise.resolve(store.get('start')), PATIENCE_MS);
      if (!isAway && fault === undefined) {
        looking = undefined;
        return;
      }
      if (isAway) onBack();
      else onFault(fault?.error);
      isAway = false;
    } catch (error) {
      if (isStopped) return;
      if (!isAway) onAway(error);
      isAway = true;
    }
    const again = (): void => {
      looking = undefined;
      if (isAway && !isStopped) looking = look();
    };
    setTimeout(again, PATIENCE_MS).unref?.();
  }
  function fail(error: unknown): typeof AWAY {
    if (!isStopped) looking ??= look({ error });
    return AWAY;
  }

  return {
    ask: (question) => {
      try {
        const answer = question(store);
        return isPromise(answer) ? answerWithin(answer, PATIENCE_MS).catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
    isAway: () => isAway,
    start: async () => {
      isStopped = false;
      looking = look();
      await looking;
    },
    stop: () => {
      isStopped = true;
      return store.stop?.();
    },
  };
}

/** Longer texts are kept as their digest. */
const MAX_LENGTH = 120;

/** A key of a store, `space:text`, of a bounded length: different for different texts. */
export function toStoreKey(space: string, text: string): string {
  return `${space}:${text.length <= MAX_LENGTH ? text : toDigest(text)}`;
}

/** 43 letters. A digest and a text of that form cannot be told apart, so it begins as no text does. */
export function toDigest(text: string): string {
  return `\u0001${createHash('sha256').update(text).digest('base64url')}`;
}

/** Says whose call it is: a function of input and context, or the address. */
export type By<Input = never, Ctx = never> = 'address' | ((input: Input, ctx: Ctx) => string | undefined);

/** The text that stands for an address, or for none. */
export type AddressOf = (address: string | undefined, ctx: unknown) => string;

/** A text for each caller: `u:…` for one whom the function knows, `a:…` by address for others. */
export function createCallerOf(
  by: By | undefined,
  addressOf: AddressOf = (address = '') => address,
): (input: unknown, ctx: unknown) => string {
  if (by === undefined) return () => '';
  const known = by === 'address' ? () => undefined : (by as (input: unknown, ctx: unknown) => string | undefined);
  return (input, ctx) => {
    const caller = known(input, ctx);
    return caller === undefined ? `a:${addressOf(findCallRequest(ctx)?.remoteAddress, ctx)}` : `u:${caller}`;
  };
}

type Step<Result> = (input: unknown, ctx: unknown, sent?: unknown) => MaybePromise<Result>;

/**
 * Makes a step by means of something that only servers load which need it. `load` may be an `import('…')`, because
 * bundlers see that. Calls that come before it is there wait for it; those after it do not.
 */
export function withLibrary<Library, Result>(
  load: () => MaybePromise<Library>,
  make: (library: Library) => Step<Result>,
): Step<Result> {
  const loaded = load();
  if (!isPromise(loaded)) return make(loaded);
  let made: Step<Result> | undefined;
  const making = Promise.resolve(loaded).then((library) => {
    made = make(library);
    return made;
  });
  // Each call hears of a library that cannot be loaded.
  making.catch(() => {});
  return (input, ctx, sent) =>
    made === undefined ? making.then((step) => step(input, ctx, sent)) : made(input, ctx, sent);
}

/** The abort signal of a context, where it has one. */
export function findSignal(ctx: unknown): AbortSignal | undefined {
  const signal = typeof ctx === 'object' && ctx !== null ? (ctx as { readonly signal?: unknown }).signal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
