import * as z from 'zod';
import { capability, withRateLimit } from '../../../server-runtime/index.ts';

export const signIn = capability(z.object({ email: z.email(), password: z.string() }), () => ({
  token: '…',
}))
  .enhance(withRateLimit({ limit: 5, windowMs: 60_000, by: ({ email }) => email }))
  .enhance(withRateLimit({ limit: 20, windowMs: 60_000, by: 'address', countsRefused: true }));
