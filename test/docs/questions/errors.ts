import * as z from 'zod';
import { capability, defineError } from '../../../server-runtime/index.ts';

export const EmailTaken = defineError(409, 'EmailTaken', { meta: z.object({ email: z.string() }) });

export const createUser = capability(z.object({ email: z.email() }), ({ email }) => {
  if (email === 'ada@example.org')
    throw EmailTaken('That address belongs to someone else', { email });
  return { id: '7', email };
}).errors(EmailTaken);
