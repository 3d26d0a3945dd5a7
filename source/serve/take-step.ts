/** Thrown where a start is abandoned: its signal has fired, or the supervisor stops. */
export class Abandoned extends Error {}

/** Takes a step of a start, and waits for it. @throws Abandoned where the signal fires before its end. */
export async function takeStep<Result>(
  signal: AbortSignal,
  take: () => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new Abandoned();
  let giveUp = (): void => {};
  const abandoned = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(new Abandoned());
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([abandoned, take()]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
