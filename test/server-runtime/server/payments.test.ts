import { PGlite } from '@electric-sql/pglite';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineMiddleware,
  type MiddlewareCall,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { createPayment, createSafePayment, sendOutbox } from '../../docs/recipes/payments.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { json } from '../../helpers/start-rest.ts';

interface Sql {
  readonly query: (text: string) => Promise<unknown>;
}

describeWithRedis('a transaction, a key and a job', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startRedis());
  });

  /** Payments in a database, with faults of the first attempt of some, and receipts that jobs send. */
  async function serve(space: string) {
    const db = await PGlite.create();
    await db.exec(`
      CREATE TABLE accounts (name text PRIMARY KEY);
      CREATE TABLE payments (id text, account text REFERENCES accounts DEFERRABLE INITIALLY DEFERRED, cents int);
      CREATE TABLE outbox (payment text);
      INSERT INTO accounts VALUES ('ada');
    `);
    const attempts = new Map<string, number>();
    const receipts: string[] = [];
    const send = capability(z.object({ id: z.string() }), async ({ id }) => {
      const { rows } = await db.query('SELECT id FROM payments WHERE id = $1', [id]);
      receipts.push(rows.length === 1 ? id : `${id} has no payment`);
    });
    const queue = queueTransport({
      url,
      prefix: `jobs ${space}`,
      capabilities: { receipts: { send } },
    });
    let isAway = false;
    const jobs = {
      enqueue: async (...job: Parameters<typeof queue.enqueue>) => {
        if (isAway) throw defaultErrors.ServiceUnavailable();
        return queue.enqueue(...job);
      },
    };
    /** Inside of the transaction, so that what it does is rolled back or committed with the payment. */
    const withFaults = defineMiddleware(
      async ({ input, ctx, next }: MiddlewareCall<BaseContext>) => {
        const { id } = input as { id: string };
        const attempt = (attempts.get(id) ?? 0) + 1;
        attempts.set(id, attempt);
        const answer = await next();
        if (id.startsWith('refused')) throw defaultErrors.Conflict();
        if (attempt > 1) return answer;
        // The database says at the commit that there is no such account.
        const { tx } = ctx as BaseContext & { readonly tx: Sql };
        if (id.startsWith('uncommitted'))
          await tx.query("INSERT INTO payments VALUES ('none', 'nobody', 1)");
        if (id.startsWith('late')) await untilAborted(ctx.signal);
        return answer;
      },
    );
    const server = createServer({
      context: defineContext(() => ({ db, jobs })),
      capabilities: {
        payments: {
          createPayment: createPayment.use(withFaults),
          addSafePayment: createSafePayment.use(withFaults).route('POST', '/safe-payments'),
        },
      },
      transports: [restTransport({ port: 0 }), queue],
      store: redisStore(url, { prefix: `keys ${space} ` }),
      timeoutMs: 300,
      logger: silentLogger,
    });
    const [started] = await server.start();
    onTestFinished(async () => {
      await server.stop({ graceMs: 0 });
      await db.close();
    });
    /** Asks with one key until there is an answer that would be the same the next time. */
    const pay = async (id: string, path = '/payments') => {
      for (let attempt = 1; ; attempt++) {
        const { headers, ...init } = json({ id, account: 'ada', cents: 100 });
        const leaving =
          id.startsWith('left') && attempt === 1
            ? AbortSignal.timeout(attempts.size % 20)
            : undefined;
        const response = await fetch(`${started?.url}${path}`, {
          ...init,
          headers: { ...(headers as Record<string, string>), 'idempotency-key': `"${id}"` },
          ...(leaving && { signal: leaving }),
        }).catch(() => undefined);
        await response?.arrayBuffer().catch(() => undefined);
        if (response !== undefined && response.status < 500) return response.status;
      }
    };
    const readPayments = async () => {
      const { rows } = await db.query<{ id: string }>('SELECT id FROM payments');
      return rows.map(({ id }) => id);
    };
    return { db, jobs, pay, readPayments, receipts, setAway: (away: boolean) => (isAway = away) };
  }

  it('lose and double nothing in 50 calls, ten times', async () => {
    const { pay, readPayments, receipts } = await serve('ten');
    const kinds = ['ok', 'ok', 'left', 'uncommitted', 'refused'];
    const paid: string[] = [];
    for (let round = 0; round < 10; round++) {
      const ids = Array.from(
        { length: 50 },
        (_, at) => `${at === 0 ? 'late' : kinds[at % kinds.length]} ${round} ${at}`,
      );
      // Some are asked for twice at a time.
      const calls = ids.flatMap((id) => (id.startsWith('ok') ? [pay(id), pay(id)] : [pay(id)]));
      expect(
        (await Promise.all(calls)).filter((status) => status !== 200 && status !== 409),
      ).toEqual([]);
      paid.push(...ids.filter((id) => !id.startsWith('refused')));
      expect((await readPayments()).toSorted()).toEqual(paid.toSorted());
    }
    await expect.poll(() => receipts.toSorted()).toEqual(paid.toSorted());
  });

  it('loses no job that is in the outbox when the queue was away', async () => {
    const { db, jobs, pay, readPayments, receipts, setAway } = await serve('outbox');
    setAway(true);
    expect(await pay('one', '/safe-payments')).toBe(200);
    expect([await readPayments(), receipts]).toEqual([['one'], []]);
    setAway(false);
    await Promise.all([sendOutbox({ db, jobs }), sendOutbox({ db, jobs })]);
    await expect.poll(() => receipts).toEqual(['one']);
    expect((await db.query('SELECT * FROM outbox')).rows).toEqual([]);
  });
});

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve);
  });
}
