import { setImmediate as nextTurn } from 'node:timers/promises';

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
