import { randomUUID } from 'node:crypto';
import { createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { type AskedStore, AWAY, type EnhancerState, enhancerStateOf, toStoreKey } from './enhancer-state.ts';

/** Puts the cached answers of some tags out of date once the handler has succeeded, before its caller knows. */
export function invalidates<Input, Ctx>(
  tags: (input: Input, ctx: Ctx) => readonly string[],
): Enhancer<Input, Ctx, unknown, never> {
  return createEnhancer<Input, Ctx>(
    (next, operation) => async (input, ctx) => {
      const value = await (next as Next)(input, ctx);
      const { status = 200 } = isReply(value) ? value : {};
      if (status < 400) await invalidateTags(enhancerStateOf(operation), tags(input, ctx));
      return value;
    },
    { name: 'invalidates' },
    { usesServer: true },
  );
}

/** The longest time that an answer with tags is kept, and an invalidation known, milliseconds (30 days). */
export const MAX_TAGGED_MS = 2_592_000_000;

export function openTags(state: EnhancerState): Promise<AskedStore> {
  return state.open('tags', 100_000);
}

/** When answers of some tags were invalidated last. It is read before the handler runs, for what is made meanwhile. */
export async function readTags(tags: AskedStore, names: readonly string[]): Promise<string | typeof AWAY> {
  const get = async (name: string) => tags.ask((store) => store.get(toStoreKey('tag', name)));
  const texts = await Promise.all(names.map(get));
  return texts.includes(AWAY) ? AWAY : texts.join(',');
}

/** Puts every answer of these tags out of date, in all processes. Gives false where the store is away. */
export async function invalidateTags(state: EnhancerState, names: readonly string[]): Promise<boolean> {
  const tags = await openTags(state);
  const set = async (name: string) =>
    tags.ask((store) => store.set(toStoreKey('tag', name), randomUUID(), MAX_TAGGED_MS));
  return !(await Promise.all(names.map(set))).includes(AWAY);
}
