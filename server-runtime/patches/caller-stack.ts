/** An object whose `stack` has one frame: the one above `from`. Node formats the stack when the code reads it. */
export function callerStack(from: (...args: never[]) => unknown): { readonly stack?: string } {
  const limit = Error.stackTraceLimit;
  const place = {};
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(place, from);
  Error.stackTraceLimit = limit;
  return place;
}
