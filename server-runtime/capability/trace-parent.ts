const TRACE_PARENT =
  /^([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The header `traceparent` where it is well formed, in the form of version 00: 55 characters, whatever was sent. */
export function readTraceparent(header: unknown): string | undefined {
  const [, version, traceId, spanId, flags, rest] =
    (typeof header === 'string' ? TRACE_PARENT.exec(header) : undefined) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  // A later version may have more behind it.
  if (version === '00' && rest !== undefined) return undefined;
  return `00-${traceId}-${spanId}-${flags}`;
}

/** The id of the trace in a well-formed `traceparent`. */
export function toTraceId(traceparent: string): string {
  return traceparent.slice(3, 35);
}
