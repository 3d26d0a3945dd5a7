import { isFrameworkError } from '../errors/framework-error.ts';

/** The time that an error asks to wait before another call, milliseconds: its `meta.retryAfterSeconds`; 0 where it does not. */
export function findRetryAfterMs(error: unknown): number {
  const seconds = isFrameworkError(error) ? error.meta?.['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}
