/** Calls the listener when the window may have another size, until the returned function is called. */
export function onWindowSignal(listener: () => void): () => void {
  process.on('SIGWINCH', listener);
  return () => void process.off('SIGWINCH', listener);
}
