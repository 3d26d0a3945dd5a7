/** A stream that has begun may take as long as it likes. */
async function within(ms: number, signal: AbortSignal | undefined, reach: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const limit = new AbortController();
  const timer = AbortSignal.timeout(ms);
  timer.onabort = () => limit.abort(timer.reason);
  const response = await reach(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) timer.onabort = null;
  return response;
}
