import type { PGlite, Transaction } from '@electric-sql/pglite';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineMiddleware,
  type MiddlewareCall,
} from '../../../server-runtime/index.ts';

const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<{ db: PGlite }>) =>
  ctx.db.transaction((tx: Transaction) => next({ tx })),
);
export const txCap = capability.use(withTransaction);

export const book = txCap(z.object({ slot: z.string() }), async ({ slot }, ctx) => {
  await ctx.tx.query('insert into visits values ($1)', [slot]);
  const { affectedRows } = await ctx.tx.query(
    'update slots set taken = true where id = $1 and not taken',
    [slot],
  );
  if (affectedRows === 0) throw defaultErrors.Conflict(`${slot} is taken`); // the visit is rolled back, too
});
