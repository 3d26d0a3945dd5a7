/**
 * Gives errors that nobody caught (in a timer, in a promise) to `onError`, until the returned function is called:
 * Node's own report would be lost with an open screen, and would end the calls that a server is answering.
 */
export function catchUncaught(onError: (error: Error) => void): () => void {
  const report = (thrown: unknown): void => onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return () => {
    process.off('uncaughtException', report);
    process.off('unhandledRejection', report);
  };
}
