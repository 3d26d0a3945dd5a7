import { afterSuccess } from 'capix';
import type { Context } from '../../context.js';
import { jobs } from '../../jobs.js';
import { changesOf } from '../../topics.js';
import type { Change } from './booking.js';

/** Tells open pages and the clinic's own program, once the call has succeeded. */
export async function announce(ctx: Context, clinicId: string, change: Change): Promise<void> {
  afterSuccess(ctx, () => changesOf(clinicId).publish(change));
  await jobs.enqueue('hooks.deliver', { clinicId, id: crypto.randomUUID(), change });
}
