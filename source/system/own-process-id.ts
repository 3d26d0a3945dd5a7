export const ownProcessId = process.pid;

export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // It is another user's.
  }
}

/** Whether yarn's Plug'n'Play finds the packages of this process: they lie in archives, and in no folder. */
export const hasPlugAndPlay = 'pnp' in process.versions;
