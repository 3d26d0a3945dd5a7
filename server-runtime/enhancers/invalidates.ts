import { createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { enhancerStateOf } from './state/enhancer-state.ts';
import { invalidateTags } from './state/invalidate-tags.ts';

/**
 * Puts the cached answers of some tags out of date once the handler has succeeded, before its caller has the answer.
 *
 * @example
 * ```ts
 * const ById = z.object({ id: z.string() });
 * const cached = withCache({ ttlMs: 60_000, tags: ({ id }: { id: string }) => [`user ${id}`] });
 * const getUser = capability(ById, ({ id }) => ({ id })).enhance(cached);
 * const updateUser = capability(ById, ({ id }) => ({ id })).enhance(invalidates(({ id }) => [`user ${id}`]));
 * ```
 */
export function invalidates<Input, Ctx>(
  tags: (input: Input, ctx: Ctx) => readonly string[],
): Enhancer<Input, Ctx, unknown, never> {
  return createEnhancer<Input, Ctx>(
    (next, operation) => async (input, ctx) => {
      const value = await (next as Next)(input, ctx);
      if (!isReply(value) || (value.status ?? 200) < 400)
        await invalidateTags(enhancerStateOf(operation), tags(input, ctx));
      return value;
    },
    { name: 'invalidates' },
    { usesServer: true },
  );
}
