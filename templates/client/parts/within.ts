function within(ms: number, signal: AbortSignal | undefined, reach: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const limit = AbortSignal.timeout(ms);
  return reach(signal ? AbortSignal.any([signal, limit]) : limit);
}
