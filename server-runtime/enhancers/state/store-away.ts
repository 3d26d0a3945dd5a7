import { defaultErrors } from '../../errors/default-errors.ts';

/** The refusal of a call that must not run without the store. */
export function storeAway(): Error {
  return defaultErrors.ServiceUnavailable('Unavailable for the moment; try again in 1 s', { retryAfterSeconds: 1 });
}
