interface Asking {
  readonly attempts: number;
  readonly signal: AbortSignal | undefined;
}

/** The wait before the second attempt, milliseconds; it doubles with each. */
const WAIT_MS = 200;

/** Asks again where there was no answer, or one that says to come back; a caller who has left is not kept. */
export async function askOften(ask: () => Promise<Response>, { attempts, signal }: Asking): Promise<Response> {
  for (let made = 1; ; made++) {
    const isLast = made >= attempts;
    let waitMs = WAIT_MS * 2 ** (made - 1) * (0.5 + Math.random() / 2);
    try {
      const response = await ask();
      if (isLast || ![429, 502, 503, 504].includes(response.status)) return response;
      waitMs = Math.max(waitMs, 1000 * (Number(response.headers.get('retry-after')) || 0));
      await response.body?.cancel();
    } catch (error) {
      if (isLast || signal?.aborted === true) throw error;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, waitMs);
      const leave = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
