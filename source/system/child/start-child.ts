import type { ChildProcess } from 'node:child_process';
import { type ForkChildOptions, forkChild } from '../../terminal/fork-child.ts';
import { type ChildChannel, createChildChannel } from './child-channel.ts';
import type { Protocol } from './protocol.ts';

export interface StartChildOptions<Note> extends Omit<ForkChildOptions, 'stdio' | 'serialization'> {
  /** Whether what the child writes is read by this process, else it is thrown away. */
  readonly output: 'pipe' | 'ignore';
  readonly onNote?: (note: Note) => void;
}

export interface StartedChild<P extends Protocol> {
  readonly channel: ChildChannel<P>;
  readonly process: ChildProcess;
}

/** Starts a process from a compiled file (absolute path, `*-child.js`) that answers by `connectToParent`. */
export function startChild<P extends Protocol>(
  file: string,
  { output, onNote, ...options }: StartChildOptions<P['note']>,
): StartedChild<P> {
  const child = forkChild(file, { ...options, stdio: ['ignore', output, output, 'ipc'] });
  return { channel: createChildChannel<P>(child, onNote), process: child };
}
