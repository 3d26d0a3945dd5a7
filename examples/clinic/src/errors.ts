import { defineError } from 'capix';
import * as z from 'zod';

export const Unauthorized = defineError(401, 'Unauthorized');
export const Forbidden = defineError(403, 'Forbidden');
export const NotFound = defineError(404, 'NotFound');
export const SlotTaken = defineError(409, 'SlotTaken', {
  meta: z.object({ doctor: z.string(), startsAt: z.string() }),
});
