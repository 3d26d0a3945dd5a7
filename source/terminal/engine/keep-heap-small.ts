import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap of this process grow in small steps: where thousands of lines a second come and go, most of a large heap is what nobody has
 * cleared yet.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
}
