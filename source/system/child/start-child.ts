import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { endsWithProcess } from '../../terminal/end-children.ts';
import { type ChildChannel, createChildChannel } from './child-channel.ts';
import type { Protocol } from './protocol.ts';

interface ForkChildOptions extends ForkOptions {
  /** The arguments that the child finds in `process.argv` after its file. @default none */
  readonly arguments?: readonly string[];
}

export interface StartChildOptions<Note> extends Omit<ForkChildOptions, 'stdio' | 'serialization'> {
  /**
   * The place where what the child writes goes to, its file descriptors 1 and 2: this process reads it, nobody does, or
   * it goes where this process has its own stderr.
   */
  readonly output: 'pipe' | 'ignore' | 'stderr';
  readonly onNote?: (note: Note) => void;
}

export interface StartedChild<P extends Protocol> {
  readonly channel: ChildChannel<P>;
  readonly process: ChildProcess;
}

/** The file descriptor. */
const STDERR = 2;

/** Starts a process from a compiled file (absolute path, `*-child.js`) that answers by `connectToParent`. */
export function startChild<P extends Protocol>(
  file: string,
  { output, onNote, ...options }: StartChildOptions<P['note']>,
): StartedChild<P> {
  const target = output === 'stderr' ? STDERR : output;
  const child = forkChild(file, { ...options, stdio: ['ignore', target, target, 'ipc'] });
  return { channel: createChildChannel<P>(child, onNote), process: child };
}

/** Starts a process of the tool. It ends with this process (see `endChildren`), unless it is detached. */
export function forkChild(file: string, { arguments: args = [], ...options }: ForkChildOptions): ChildProcess {
  const child = fork(file, args, { execArgv: [], ...options });
  if (child.pid !== undefined && options.detached !== true) endsWithProcess(child);
  return child;
}
