/** Runs each task, whatever becomes of the others. Rejects with what the first of them threw. */
export async function runAll(tasks: readonly (() => void | Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
