import type { EnhancedOperation } from '../../capability/enhancer.ts';
import type { MaybePromise } from '../../errors/outcome.ts';
import type { Store } from '../../stores/store.ts';
import { type AskedStore, createAskedStore } from './asked-store.ts';

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
    const { createMemoryStore } = await import('../../stores/memory-store.ts');
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
