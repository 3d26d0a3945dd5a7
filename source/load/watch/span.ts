import type { SeenChange } from '../../system/watch/gather-changes.ts';

/** A time in which code of the project ran, milliseconds of `performance.now()`. */
export interface Span {
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** Whether a file was changed in that time, perhaps by the code itself. */
export function isDuring({ at }: SeenChange, { from, to }: Span): boolean {
  return at >= from && (to === undefined || at <= to);
}

/**
 * Whether the code as it was built at one time, and had run until another, is that of the file as it is now: one save
 * may be reported twice, and much later.
 */
export function isBuiltOf({ at, changedAt }: SeenChange, builtAt: number, ranUntil: number): boolean {
  return at <= ranUntil || (changedAt !== undefined && changedAt < builtAt);
}
