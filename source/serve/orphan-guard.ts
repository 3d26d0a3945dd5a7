/** Ends process groups when this process is gone, however it went. */
export interface OrphanGuard {
  /** All that are to be ended, in place of those before. */
  readonly guard: (groups: readonly number[]) => void;
}

/**
 * Waits in a process of its own for the end of its input, which the system closes when this process is gone, and then
 * ends the last groups that it read. They have three seconds to notice by themselves; one whose thread is blocked does
 * not.
 */
const WAIT_AND_END = `while read -r groups; do last=$groups; done
[ -n "$last" ] && sleep 3 && kill -s KILL -- $last`;

/** Starts to look after processes. Where there is no shell, as on Windows, nobody does. */
export async function startOrphanGuard(): Promise<OrphanGuard> {
  if (process.platform === 'win32') return { guard: () => {} };
  const { execa } = await import('execa');
  const shell = execa('/bin/sh', ['-c', WAIT_AND_END], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    reject: false,
    cleanup: false,
    detached: true,
  });
  shell.unref();
  shell.stdin.on('error', () => {});
  return {
    guard: (groups) => void shell.stdin.write(`${groups.map((group) => -group).join(' ')}\n`),
  };
}
