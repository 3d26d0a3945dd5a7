import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';

/** Processes that have not ended yet. */
const running = new Set<ChildProcess>();

/** Starts a process of the tool from a compiled file. It ends with this process: see `endChildren`. */
export function forkChild(file: string, options: ForkOptions): ChildProcess {
  const child = fork(file, [], { execArgv: [], ...options });
  if (child.pid !== undefined) running.add(child.once('exit', () => running.delete(child)));
  return child;
}

/** Ends every process that `forkChild` has started. Resolves when all are gone: from then on nothing of them writes a file. */
export async function endChildren(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const isGone = new Promise((resolve) => void child.once('exit', resolve));
      child.kill('SIGKILL');
      return isGone;
    }),
  );
}
