/** The time without anything to do, in all, after which code counts as waiting, milliseconds. */
const IDLE_MS = 500;
/** The time after which it does, however busy it is, milliseconds. */
const BUSY_LIMIT_MS = 5_000;
/** Between two looks, milliseconds. */
const LOOK_MS = 50;

/** Calls once when this process waits: a busy computer makes it slow, and not idle. Gives what calls it off. */
export function onceIdle(take: () => void): () => void {
  const since = performance.now();
  const { idle } = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const idleMs = performance.eventLoopUtilization().idle - idle;
    if (idleMs < IDLE_MS && performance.now() - since < BUSY_LIMIT_MS) return;
    clearInterval(timer);
    take();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
