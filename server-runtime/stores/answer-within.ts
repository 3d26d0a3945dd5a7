/** The lateness of a timer from which on the process, and not the other side, was busy, milliseconds. */
const BLOCKED_MS = 50;

/**
 * The answer of another process to a question, within `ms` milliseconds. Time in which this process was blocked does
 * not count: a timer that comes late starts again, and one in time lets the event loop turn once.
 * @throws Error when there is no answer in time; the answer's own error
 */
export function answerWithin<T>(answer: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const giveUp = (): void => reject(new Error(`There was no answer within ${ms} ms`));
    const wait = (): void => {
      const dueAt = performance.now() + ms;
      const expire = (): void => {
        if (performance.now() - dueAt > BLOCKED_MS) wait();
        else setTimeout(giveUp, 0);
      };
      timer = setTimeout(expire, ms);
    };
    wait();
    void Promise.resolve(answer)
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
