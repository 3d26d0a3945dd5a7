import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { cap } from '../context.ts';
import { clinics } from '../db/schema.ts';
import { jobs } from '../jobs.ts';

export const deliverHook = cap(
  jobs.inputs.hooks.deliver,
  async ({ clinicId, id, change }, { db, signal }) => {
    const clinic = await db.query.clinics.findFirst({ where: eq(clinics.id, clinicId) });
    if (!clinic?.hookUrl || !clinic.hookSecret) return;
    const body = JSON.stringify({ id, ...Object(change) });
    const signature = createHmac('sha256', clinic.hookSecret).update(body).digest('hex');
    const response = await fetch(clinic.hookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-clinic-signature': signature },
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    // A job that throws is tried again.
    if (!response.ok) throw new Error(`The receiver answered ${String(response.status)}`);
  },
);
