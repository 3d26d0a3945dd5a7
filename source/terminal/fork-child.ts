import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { endsWithProcess } from './end-children.ts';

export interface ForkChildOptions extends ForkOptions {
  /** The arguments that the child finds in `process.argv` after its file. @default none */
  readonly arguments?: readonly string[];
}

/** Starts a process of the tool from a compiled file. It ends with this process (see `endChildren`), unless it is detached. */
export function forkChild(file: string, { arguments: args = [], ...options }: ForkChildOptions): ChildProcess {
  const child = fork(file, args, { execArgv: [], ...options });
  if (child.pid !== undefined && options.detached !== true) endsWithProcess(child);
  return child;
}
