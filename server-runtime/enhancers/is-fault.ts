import { isFrameworkError } from '../errors/framework-error.ts';

/** Whether an error says that something is broken, and not that the caller asked for something wrong: unforeseen, or 5xx. */
export function isFault(error: unknown): boolean {
  return !isFrameworkError(error) || error.status >= 500;
}

/** The abort signal of a context, where it has one. */
export function findSignal(ctx: unknown): AbortSignal | undefined {
  const signal = typeof ctx === 'object' && ctx !== null ? (ctx as { readonly signal?: unknown }).signal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
