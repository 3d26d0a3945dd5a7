import * as z from 'zod';

export const Clinic = z
  .object({ id: z.uuid(), name: z.string().trim().min(1).max(100) })
  .meta({ id: 'Clinic' });
