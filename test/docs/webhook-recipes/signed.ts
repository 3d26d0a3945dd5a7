import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type ContextOf,
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../server-runtime/index.ts';

/** What a signature is made of: the bytes as they were sent, and the headers. */
export const context = defineContext(({ headers, rawBody = Buffer.alloc(0) }) => ({
  headers,
  rawBody,
}));
export type Sent = ContextOf<typeof context>;

/** A factory of capabilities for callers whose signature fits. */
export function signedBy(name: string, isSigned: (sent: Sent) => boolean | Promise<boolean>) {
  const check = async (sent: Sent): Promise<void> => {
    if (!(await isSigned(sent))) throw defaultErrors.Unauthorized('The signature does not fit.');
  };
  return capability
    .withContext<Sent>()
    .guard(defineGuard(check, { name, errors: [defaultErrors.Unauthorized] }));
}

/** Compares in a time that says nothing of the place of the first difference. */
export function isHmac(
  secret: string,
  parts: readonly (string | Uint8Array)[],
  hex: string,
): boolean {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  const [wanted, given] = [hmac.digest(), Buffer.from(hex, 'hex')];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
