/** The value of the promise, or undefined when `timeoutMs` are over or the signal fires before it has one. */
export async function within<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    stop();
  }
}
