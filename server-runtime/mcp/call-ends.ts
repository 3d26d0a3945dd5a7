/** The events that end a call before it has its answer, apart from its timeout. */
export interface CallEnds {
  readonly signal: AbortSignal;
  /** The call has from now on no more than a moment once the conversation is about to end: what it reads may have no end. */
  readonly limit: () => void;
  /** The call is over. */
  readonly release: () => void;
}

/** The time that a stream is still read when nobody can cancel it any more, milliseconds. */
const MOMENT_MS = 1000;

/** `cancelled` ends the call at once, `closing` a moment later. */
export function toCallEnds(cancelled: AbortSignal, closing: AbortSignal): CallEnds {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => controller.abort(cancelled.reason);
  const endSoon = (): void => {
    timer = setTimeout(end, MOMENT_MS);
  };
  if (cancelled.aborted) end();
  else cancelled.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    limit: () => (closing.aborted ? endSoon() : closing.addEventListener('abort', endSoon, { once: true })),
    release: () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', end);
      closing.removeEventListener('abort', endSoon);
    },
  };
}
