import * as z from 'zod';
import {
  capability,
  defineMiddleware,
  type MiddlewareCall,
} from '../../../server-runtime/index.ts';

interface Transaction {
  readonly insert: (row: { readonly name: string }) => Promise<void>;
}
interface Context {
  readonly signal: AbortSignal;
  readonly db: { readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T> };
}

export const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<Context>) =>
  ctx.db.transaction(async (tx) => {
    const answer = await next({ tx });
    ctx.signal.throwIfAborted(); // the caller has got 504, or has left: nothing is kept
    return answer;
  }),
);

const txCap = capability.use(withTransaction);
export const addItem = txCap(z.object({ name: z.string() }), async (item, ctx) => {
  await ctx.tx.insert(item); // rolled back where the handler throws
  return item;
});
