import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls `onStop` where a shell asks this process to stop, until the returned function is called. */
export function catchStop(onStop: () => void): () => void {
  if (!canStop()) return () => {};
  process.on('SIGTSTP', onStop);
  return () => void process.off('SIGTSTP', onStop);
}

export function canStop(): boolean {
  return process.platform !== 'win32';
}

/** Stops this process; resolves when it goes on, as by `fg`, and knows the window's size again. */
export function stopUntilContinued(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => {
      process.once('SIGWINCH', () => resolve());
      process.kill(process.pid, 'SIGWINCH');
    });
    process.kill(process.pid, 'SIGSTOP');
  });
}

/** Leaves what is typed to other processes, until somebody listens again: Node goes on reading without a listener. */
export async function stopReadingKeys(): Promise<void> {
  await nextTurn(); // By then Node knows that nobody listens.
  process.stdin.pause();
  await nextTurn(); // It stops after the turn in which it is stopped.
}

/** Whether the terminal shows typed keys, and keeps a line until Enter; else each arrives at once, unseen. */
export function showTypedKeys(isShown: boolean): void {
  process.stdin.setRawMode(!isShown);
}
