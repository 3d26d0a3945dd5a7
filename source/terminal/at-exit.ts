/** Runs a task when this process ends by itself, also where user code ends it, until the returned function is called. */
export function atExit(task: () => void): () => void {
  process.once('exit', task);
  return () => void process.off('exit', task);
}
