/**
 * Calls `onStop` where a shell, or a person with `kill -TSTP`, asks this process to stop, until the returned function is called. Nothing stops
 * it then but `stopUntilContinued`. Windows has no such signal.
 */
export function catchStop(onStop: () => void): () => void {
  if (process.platform === 'win32') return () => {};
  process.on('SIGTSTP', onStop);
  return () => void process.off('SIGTSTP', onStop);
}

/** Stops this process; resolves when it goes on, as by `fg`. */
export function stopUntilContinued(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => resolve());
    process.kill(process.pid, 'SIGSTOP');
  });
}
