/** No version is `ff`, and no id is of zeros alone. */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const LENGTH = 55;

/** The header `traceparent` where it is well formed, in the form of version 00: 55 characters, whatever was sent. */
export function readTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string' || !TRACE_PARENT.test(header.slice(0, LENGTH))) return undefined;
  const rest = header.slice(LENGTH);
  // Only later versions may have more behind it.
  const mayHaveMore = !header.startsWith('00') && rest.startsWith('-');
  return rest === '' || mayHaveMore ? `00${header.slice(2, LENGTH)}` : undefined;
}

/** The id of the trace in a well-formed `traceparent`. */
export function toTraceId(traceparent: string): string {
  return traceparent.slice(3, 35);
}
