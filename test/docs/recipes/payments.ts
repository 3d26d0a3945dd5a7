import * as z from 'zod';
import {
  afterSuccess,
  capability,
  defineMiddleware,
  type MiddlewareCall,
  withIdempotency,
} from '../../../server-runtime/index.ts';

interface Sql {
  readonly query: (text: string, values?: unknown[]) => Promise<{ readonly rows: unknown[] }>;
}
interface Context {
  readonly signal: AbortSignal;
  readonly db: Sql & { readonly transaction: <T>(work: (tx: Sql) => Promise<T>) => Promise<T> };
  readonly jobs: {
    readonly enqueue: (
      key: 'receipts.send',
      input: { id: string },
      options: { jobId: string },
    ) => Promise<string>;
  };
}

const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<Context>) =>
  ctx.db.transaction(async (tx) => {
    const answer = await next({ tx });
    ctx.signal.throwIfAborted();
    return answer;
  }),
);

const txCap = capability.use(withTransaction);
const Payment = z.object({ id: z.string(), account: z.string(), cents: z.int() });

/** The key is outside of the transaction, and the job is added when that is committed. */
export const createPayment = txCap(Payment, async ({ id, account, cents }, ctx) => {
  await ctx.tx.query('INSERT INTO payments VALUES ($1, $2, $3)', [id, account, cents]);
  await ctx.jobs.enqueue('receipts.send', { id }, { jobId: id });
  return { id };
}).enhance(withIdempotency({ required: true }));

/** The same where no receipt may be lost: what is to be sent is committed with the payment. */
export const createSafePayment = txCap(Payment, async ({ id, account, cents }, ctx) => {
  await ctx.tx.query('INSERT INTO payments VALUES ($1, $2, $3)', [id, account, cents]);
  await ctx.tx.query('INSERT INTO outbox (payment) VALUES ($1)', [id]);
  afterSuccess(ctx, () => sendOutbox(ctx));
  return { id };
}).enhance(withIdempotency({ required: true }));

/** Call it at the start and every few seconds, too. A row that is sent twice adds no second job: its id is known. */
export async function sendOutbox({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  const { rows } = await db.query('SELECT payment FROM outbox');
  for (const { payment } of rows as { payment: string }[]) {
    await jobs.enqueue('receipts.send', { id: payment }, { jobId: payment });
    await db.query('DELETE FROM outbox WHERE payment = $1', [payment]);
  }
}
