import type { Interceptor } from './call.ts';
import { toRandomText } from './create-call.ts';

/**
 * Tries a GET, PUT or DELETE again, up to `times` times, that gets no response, or 429, 502, 503 or 504, and whatever
 * has an `Idempotency-Key`. It waits as `Retry-After` says, else longer each time. Calls by key are all of POST, so
 * that each gets a key: give capabilities that change something `withIdempotency`.
 *
 * @example
 * ```ts
 * import { createClient, retry } from 'capix/client';
 * import type * as capabilities from './capabilities/index.js';
 *
 * const api = createClient<typeof capabilities>({ baseUrl: 'http://localhost:3000', intercept: [retry(3)] });
 * ```
 */
export function retry(times: number): Interceptor {
  return async (request, next) => {
    const { headers, method, signal, url } = request;
    if (/\/_call\/[\w.]+$/.test(url) && !headers.has('idempotency-key'))
      headers.set('idempotency-key', `"${toRandomText()}"`);
    const mayRepeat = /^(GET|PUT|DELETE)$/.test(method) || headers.has('idempotency-key');
    for (let tried = 0; ; tried++) {
      const isLast = tried >= times || !mayRepeat;
      const response = await next(isLast ? request : request.clone()).catch((error: unknown) => {
        // Whoever ends a call does not want it again.
        if (isLast || signal.aborted) throw error;
      });
      if (response && (isLast || ![429, 502, 503, 504].includes(response.status))) return response;
      await response?.body?.cancel();
      const asked = findRetryAfterMs(response?.headers.get('retry-after') ?? '');
      await waitFor(asked ?? Math.random() * 200 * 2 ** tried, signal);
    }
  };
}

/** Milliseconds that `Retry-After` asks for, in seconds or until a date. */
function findRetryAfterMs(value: string): number | undefined {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Ends early, and rejects, when the signal fires. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
  });
}
