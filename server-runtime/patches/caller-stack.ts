/** An object whose `stack` has some frames: those above `from`. Node formats the stack when the code reads it. */
export function callerStack(
  from: (...args: never[]) => unknown,
  frames = 1,
): { readonly stack?: string } {
  const limit = Error.stackTraceLimit;
  const place = {};
  Error.stackTraceLimit = frames;
  Error.captureStackTrace(place, from);
  Error.stackTraceLimit = limit;
  return place;
}
