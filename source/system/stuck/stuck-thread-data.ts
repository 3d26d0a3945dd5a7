import type { LastWords } from '../run-user-code.ts';

/** The data of the thread that watches another one. */
export interface StuckThreadData {
  /** One number: one of `watchStates`. */
  readonly state: Int32Array;
  readonly limitMs: number;
  /** Written where the process has to be killed: code that waits in a call of the system cannot be interrupted. */
  readonly lastWords: LastWords;
}

export const watchStates = { watching: 0, interrupting: 1, over: 2 } as const;

/** The name, as a symbol of the global registry, of the function that the interrupted code is made to call with its stack. */
export const FOUND = 'capix.found';
