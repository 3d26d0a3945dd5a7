import type { ChildProcess } from 'node:child_process';
import { type ForkChildOptions, forkChild } from '../../terminal/fork-child.ts';
import { type ChildChannel, createChildChannel } from './child-channel.ts';
import type { Protocol } from './protocol.ts';

export interface StartChildOptions<Note> extends Omit<ForkChildOptions, 'stdio' | 'serialization'> {
  /**
   * The place where what the child writes goes to, its file descriptors 1 and 2: this process reads it, nobody does, or it goes where this process
   * has its own stderr.
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
