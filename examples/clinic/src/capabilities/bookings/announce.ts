import { afterSuccess } from 'capix';
import type { Context } from '../../context.ts';
import { jobs } from '../../jobs.ts';
import { changesOf } from '../../topics.ts';
import type { Change } from './booking.ts';

/** Tells open pages and the clinic's own program, once the call has succeeded. */
export async function announce(ctx: Context, clinicId: string, change: Change): Promise<void> {
  afterSuccess(ctx, () => changesOf(clinicId).publish(change));
  await jobs.enqueue('hooks.deliver', { clinicId, id: crypto.randomUUID(), change });
}
