import type { ChildProcess } from 'node:child_process';

/** Processes that have not ended yet, and do not end by themselves. */
const running = new Set<ChildProcess>();

/** Has `endChildren` end a process that this one has started. */
export function endsWithProcess(child: ChildProcess): void {
  running.add(child.once('exit', () => running.delete(child)));
}

/** Ends every process that was handed to `endsWithProcess`. Resolves when all are gone. */
export async function endChildren(): Promise<void> {
  // While some end, another may be started: by a timer, or because one of them has ended.
  while (running.size > 0) await Promise.all([...running].map(endChild));
}

function endChild(child: ChildProcess): Promise<unknown> {
  const isGone = new Promise((resolve) => void child.once('exit', resolve));
  child.kill('SIGKILL');
  return isGone;
}
