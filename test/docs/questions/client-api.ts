import * as z from 'zod';
import { capability, defaultErrors } from '../../../server-runtime/index.ts';

const getUser = capability(z.object({ id: z.string() }), ({ id }) => {
  if (id !== '7') throw defaultErrors.NotFound();
  return { id, name: 'Ada' };
})
  .output(z.object({ id: z.string(), name: z.string() }))
  .errors(defaultErrors.NotFound);

export const capabilities = { users: { getUser } };
