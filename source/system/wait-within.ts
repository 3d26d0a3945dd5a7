/** Resolves with the first of some events, or after `limitMs` milliseconds. */
export async function waitWithin(limitMs: number, ...events: readonly PromiseLike<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([limit, ...events]);
  clearTimeout(timer);
}
