import type { FailedBundle } from '../bundle/server-bundler.ts';
import type { LoadFailure } from '../load-failure.ts';

/** The time until what may go well by itself is tried again, at first and at most, milliseconds. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** The time until the next try, after so many in a row that have failed; milliseconds. */
export function toRetryMs(tries: number): number {
  return Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS);
}

/** The failure as people are told of it who need not save to have it tried again. */
export function toRetriedFailure({ failure, isDiskFull }: Omit<FailedBundle, 'kind'>): LoadFailure {
  return isDiskFull ? { ...failure, hint: FULL_HINT } : failure;
}

const FULL_HINT = 'Free some space: capix tries again by itself, at least twice a minute.';
