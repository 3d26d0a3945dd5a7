/** The wait before the second attempt, milliseconds; it doubles with each. */
const WAIT_MS = 200;

/**
 * A `fetch` for `createClient` that tries a call again, up to `times` times, where it had no answer, or 429, 502, 503 or 504: after a wait that
 * doubles from 200 ms, with jitter, or the seconds that `Retry-After` says. All attempts of a call have one `Idempotency-Key`, so give
 * capabilities that change something `withIdempotency`. A caller who has left is not kept waiting. `ask`: the `fetch` of each attempt.
 *
 * @example
 * ```ts
 * import { createClient, retry } from 'capix/client';
 *
 * const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 * const server = createServer({ capabilities: { users: { getUser } }, transports: [restTransport({ calls: true })] });
 *
 * const api = createClient<typeof server>({ baseUrl: 'http://localhost:3000', fetch: retry(3) });
 * ```
 */
export function retry(times: number, ask: typeof fetch = fetch): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('idempotency-key')) headers.set('idempotency-key', `"${toRandomText()}"`);
    const { signal } = init;
    for (let tried = 0; ; tried++) {
      let waitMs = WAIT_MS * 2 ** tried * (0.5 + Math.random() / 2);
      try {
        const response = await ask(input, { ...init, headers });
        if (tried >= times || ![429, 502, 503, 504].includes(response.status)) return response;
        waitMs = Math.max(waitMs, 1000 * (Number(response.headers.get('retry-after')) || 0));
        await response.body?.cancel();
      } catch (error) {
        if (tried >= times || signal?.aborted === true) throw error;
      }
      await waitFor(waitMs, signal);
    }
  };
}

/** 32 letters and digits. Pages without TLS have no `crypto.randomUUID`. */
function toRandomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, '0')).join('');
}

/** Resolves after the time; rejects where the caller leaves before. */
function waitFor(waitMs: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, waitMs);
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}
