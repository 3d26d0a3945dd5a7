import { createHmac, timingSafeEqual } from 'node:crypto';
import { defineGuard, noContent } from 'capix';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { type Context, cap } from '../../context.ts';
import { bookings, results } from '../../db/schema.ts';
import { NotFound, Unauthorized } from '../../errors.ts';

/** Runs before anything is parsed: the signature is that of the bytes as they were sent. */
const mustBeLab = defineGuard(
  ({ headers, rawBody = Buffer.alloc(0), settings }: Context) => {
    const wanted = createHmac('sha256', settings.LAB_SECRET).update(rawBody).digest();
    const sent = Buffer.from(headers.get('x-lab-signature') ?? '', 'hex');
    if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted))
      throw Unauthorized('The signature does not fit.');
  },
  {
    name: 'mustBeLab',
    errors: [Unauthorized],
    security: { type: 'apiKey', in: 'header', name: 'x-lab-signature' },
  },
);

export const receiveResult = cap
  .guard(mustBeLab)
  .input(z.object({ id: z.string().min(1), bookingId: z.uuid(), text: z.string().max(10_000) }))
  .route('POST', '/lab/results')
  .describe('A result of the laboratory')
  .errors(NotFound)
  .output(noContent)(async (result, { db }) => {
  const booking = await db.query.bookings.findFirst({ where: eq(bookings.id, result.bookingId) });
  if (!booking) throw NotFound(`There is no booking ${result.bookingId}.`);
  await db.insert(results).values(result).onConflictDoNothing(); // It may come twice.
});
