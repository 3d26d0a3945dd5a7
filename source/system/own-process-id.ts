/** The id of this process. */
export const ownProcessId = process.pid;

/** Whether there is a process of that id. */
export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // It is another user's.
  }
}
