import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap of this process grow in small steps: where thousands of lines are added and dropped, most of a large
 * heap is what nobody has cleared yet. The part for new objects stays at 1 MB: the engine seldom gives it back.
 */
export function keepHeapSmall(): void {
  isSmall = true;
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--semi-space-growth-factor=1');
}

let isSmall = false;

/** Whether memory counts more than what a process that waits would save, as beside the user's server. */
export function isHeapSmall(): boolean {
  return isSmall;
}
