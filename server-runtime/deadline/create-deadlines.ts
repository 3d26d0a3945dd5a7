import { DeadlineList, type Deadlines } from './deadline-list.ts';
import { DeadlineTimers } from './deadline-timers.ts';

/** Holds the deadlines of one timeout, milliseconds, in the way that this runtime allows. */
export function createDeadlines(timeoutMs: number): Deadlines {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent === 'Cloudflare-Workers' ? new DeadlineTimers(timeoutMs) : new DeadlineList(timeoutMs);
}
