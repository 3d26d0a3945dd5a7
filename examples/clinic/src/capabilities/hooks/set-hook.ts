import { noContent } from 'capix';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { ownerCap } from '../../context.ts';
import { clinics } from '../../db/schema.ts';

export const setHook = ownerCap
  .input(z.object({ url: z.url({ protocol: /^https?$/ }), secret: z.string().min(16) }))
  .route('PUT', '/hook')
  .describe(
    'Where a program of the clinic hears of bookings, and the secret that signs what it gets',
  )
  .output(noContent)(async ({ clinicId, url, secret }, { db }) => {
  await db
    .update(clinics)
    .set({ hookUrl: url, hookSecret: secret })
    .where(eq(clinics.id, clinicId));
});
