/** The time that processes may take to end in their own way, milliseconds. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 20;

/**
 * Ends what a process has started and left behind: all that is still in its group, by SIGTERM and then by SIGKILL. Resolves when the group
 * is empty, at once where it was. Does nothing on Windows, which has no groups.
 */
export async function endProcessGroup(group: number): Promise<void> {
  if (process.platform === 'win32') return;
  const endAt = performance.now() + GRACE_MS;
  for (let isThere = signalGroup(group, 'SIGTERM'); isThere; isThere = signalGroup(group, 0)) {
    if (performance.now() > endAt) return void signalGroup(group, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Whether there is such a group; 0 asks only. */
function signalGroup(group: number, signalName: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signalName);
  } catch {
    return false;
  }
}
