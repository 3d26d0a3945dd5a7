import { isFrameworkError } from '../errors/framework-error.ts';

/** Whether an error says that something is broken, and not that the caller asked for something wrong: unforeseen, or 5xx. */
export function isFault(error: unknown): boolean {
  return !isFrameworkError(error) || error.status >= 500;
}
