/** A value now, or later. Steps that have their value at once are answered in the same turn. */
export type MaybePromise<T> = T | PromiseLike<T>;

export function isPromise<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * `next(value, more)` in the same turn where the value is there, else once it is. `Promise.resolve` leaves a promise as
 * it is; the `then` of another thenable may return nothing.
 */
export function andThen<A, B, More = undefined>(
  value: MaybePromise<A>,
  next: (value: A, more: More) => MaybePromise<B>,
  more?: More,
): MaybePromise<B> {
  return isPromise(value)
    ? Promise.resolve(value).then((made) => next(made, more as More))
    : next(value, more as More);
}
