import { randomUUID } from 'node:crypto';
import { andThen, isPromise, type MaybePromise } from '../../errors/outcome.ts';
import { type AskedStore, AWAY } from './asked-store.ts';
import type { EnhancerState } from './enhancer-state.ts';
import { toStoreKey } from './to-store-key.ts';

/** The longest time that an answer with tags is kept, and an invalidation known, milliseconds (30 days). */
export const MAX_TAGGED_MS = 2_592_000_000;

const space = { name: 'tags', maxEntries: 100_000 };

/**
 * When answers of some tags were invalidated last, as a text: one that was kept under another text is out of date. It
 * is read before the handler runs, so that an answer that is made meanwhile is out of date too.
 */
export function readTags(tags: AskedStore, names: readonly string[]): MaybePromise<string | typeof AWAY> {
  if (names.length === 0) return '';
  const asked = names.map((name) => tags.ask((store) => store.get(toStoreKey('tag', name))));
  const join = (texts: readonly (string | undefined | typeof AWAY)[]): string | typeof AWAY =>
    texts.includes(AWAY) ? AWAY : texts.map((text) => (text as string | undefined) ?? '').join(',');
  return asked.some((each) => isPromise(each))
    ? Promise.all(asked.map((each) => Promise.resolve(each))).then(join)
    : join(asked as readonly (string | undefined)[]);
}

/** The place where it is kept when tags were invalidated. */
export function openTags(state: EnhancerState): MaybePromise<AskedStore> {
  return state.open(space);
}

/** Puts every answer of these tags out of date, in all processes. Gives false where the store is away. */
export async function invalidateTags(state: EnhancerState, names: readonly string[]): Promise<boolean> {
  const tags = await openTags(state);
  const asked = names.map(async (name) =>
    tags.ask((store) => andThen(store.set(toStoreKey('tag', name), randomUUID(), MAX_TAGGED_MS), () => true)),
  );
  return (await Promise.all(asked)).every((done) => done !== AWAY);
}
