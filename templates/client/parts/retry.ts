/**
 * Tries a GET, PUT or DELETE again that gets no answer, or 429, 502, 503 or 504, and whatever has an `Idempotency-Key`. It waits as `Retry-After`
 * says, else longer each time: `intercept: [retry(3)]`.
 */
export function retry(times: number): Interceptor {
  return async (request, next) => {
    for (let tried = 0; ; tried++) {
      const mayRepeat = /^(GET|PUT|DELETE)$/.test(request.method) || request.headers.has('idempotency-key');
      const isLast = tried >= times || !mayRepeat;
      const response = await next(isLast ? request : request.clone()).catch((error: unknown) => {
        // Whoever ends a call does not want it again.
        if (isLast || request.signal.aborted) throw error;
      });
      if (response && (isLast || ![429, 502, 503, 504].includes(response.status))) return response;
      await response?.body?.cancel();
      await waitFor(findRetryAfterMs(response?.headers.get('retry-after') ?? '') ?? Math.random() * 200 * 2 ** tried, request.signal);
    }
  };
}

/** Milliseconds that `Retry-After` asks for, in seconds or until a date. */
function findRetryAfterMs(value: string): number | undefined {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave);
  });
}
