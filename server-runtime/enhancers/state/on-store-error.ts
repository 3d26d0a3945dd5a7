import { defaultErrors } from '../../errors/default-errors.ts';

/** While the store does not answer: `open` goes on without it, `closed` refuses with 503. */
export type OnStoreError = 'open' | 'closed';

/** The refusal of what is closed. */
export function storeAway(): Error {
  return defaultErrors.ServiceUnavailable('Unavailable for the moment; try again in 1 s', { retryAfterSeconds: 1 });
}
