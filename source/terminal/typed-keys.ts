import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Leaves what is typed from now on to other processes, until somebody listens for keys again. A listener that is gone
 * is not enough: Node goes on reading, and whoever reads first has the key.
 */
export async function stopReadingKeys(): Promise<void> {
  await nextTurn(); // By then Node knows that nobody listens.
  process.stdin.pause();
  await nextTurn(); // It stops after the turn that it is told in.
}

/** Whether the terminal shows typed keys, and keeps a line until Enter; else each arrives at once, unseen. */
export function showTypedKeys(isShown: boolean): void {
  process.stdin.setRawMode(!isShown);
}
