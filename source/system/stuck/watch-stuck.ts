import { SHARE_ENV, Worker } from 'node:worker_threads';
import { compiledFile } from '../../package-root.ts';
import { setGlobal } from '../../patches/set-global.ts';
import { toLastWords } from '../run-user-code.ts';
import { StuckError } from './stuck-error.ts';
import { FOUND, type StuckThreadData, watchStates } from './stuck-thread-data.ts';

/**
 * Gives what `load` gives. Where it is not done in time, it is given up, with a timer, or where it blocks this thread, from a thread of its own
 * that interrupts it.
 *
 * @throws StuckError
 */
export async function watchStuck<T>(limitMs: number, load: () => Promise<T>): Promise<T> {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let timer: NodeJS.Timeout | undefined;
  let forget = (): void => {};
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // A thread that is being released hears of its timer before it hears where it was found.
      if (Atomics.load(state, 0) === watchStates.watching) reject(new StuckError(limitMs));
    }, limitMs).unref();
    const lastWords = toLastWords(new StuckError(limitMs).reason, 'load');
    forget = startThread({ state, limitMs, lastWords }, (stack) => reject(new StuckError(limitMs, stack)));
  });
  try {
    return await Promise.race([load(), stuck]);
  } finally {
    clearTimeout(timer);
    Atomics.store(state, 0, watchStates.over);
    Atomics.notify(state, 0);
    forget();
  }
}

/** Gives the function that lets the thread find nothing any more. */
function startThread(data: StuckThreadData, onStuck: (stack: string) => void): () => void {
  const worker = new Worker(compiledFile('system/stuck/watch-stuck-child.js'), {
    workerData: data,
    env: SHARE_ENV,
    execArgv: [],
  });
  let stack = '';
  const takePlace = (found: string): void => {
    stack = found;
    // What the thread says next must find this process alive.
    worker.ref();
  };
  worker.on('message', () => onStuck(stack));
  // Without the thread there is still the timer.
  worker.on('error', () => {});
  // After the listeners, which hold the process.
  worker.unref();
  // Code that was interrupted leaves nothing that holds it, where it did not stop at a place that could be told first.
  const hold = (): void => {
    if (Atomics.load(data.state, 0) === watchStates.interrupting) worker.ref();
  };
  process.prependListener('beforeExit', hold);
  const forget = setGlobal(FOUND, takePlace);
  return () => {
    process.off('beforeExit', hold);
    forget();
  };
}
