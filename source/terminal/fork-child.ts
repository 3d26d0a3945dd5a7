import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';

/** Processes that have not ended yet, and do not end by themselves. */
const running = new Set<ChildProcess>();

export interface ForkChildOptions extends ForkOptions {
  /** The arguments that the child finds in `process.argv` after its file. @default none */
  readonly arguments?: readonly string[];
}

/** Starts a process of the tool from a compiled file. It ends with this process (see `endChildren`), unless it is detached. */
export function forkChild(file: string, { arguments: args = [], ...options }: ForkChildOptions): ChildProcess {
  const child = fork(file, args, { execArgv: [], ...options });
  if (child.pid !== undefined && options.detached !== true)
    running.add(child.once('exit', () => running.delete(child)));
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
