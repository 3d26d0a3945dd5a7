import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { endsWithProcess } from '../terminal/end-process.ts';
import { isOwnMessage, type Message, type Protocol } from './parent-channel.ts';

/** The parent's end of the channel to one child process. */
export interface ChildChannel<P extends Protocol> {
  /** False when the order cannot reach the child. A socket stays open here, too: the child may end first. */
  readonly send: (order: P['order'], socket?: Socket) => boolean;
  /** Rejects with `ChildEnded` where the child ends before it answers, and with its message where it refuses. */
  readonly ask: <Name extends string & keyof P['questions']>(
    name: Name,
    question: P['questions'][Name]['question'],
    options?: AskOptions<P['questions'][Name]['progress']>,
  ) => Promise<P['questions'][Name]['answer']>;
  /** Resolves when the process is gone, or could not be started. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the process at once. */
  readonly kill: () => void;
  /** Asks the process to end with SIGTERM, and kills it after `graceMs` milliseconds. */
  readonly terminate: (graceMs: number) => void;
}

export interface AskOptions<Progress> {
  /** The time that the child may take to answer before it is killed, milliseconds. @default no limit */
  readonly limitMs?: number | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/** The end of a process: one of the two is known, and neither where it could not be started. */
export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
}

/** `with exit code 1`, `by SIGKILL` */
export function toExitText({ exitCode = 0, signalName }: ProcessExit): string {
  return signalName === undefined ? `with exit code ${exitCode}` : `by ${signalName}`;
}

/** A child process ended, or could not be used, before it answered. */
export class ChildEnded extends Error {
  /** `'ended the process with exit code 3'`, `'was not done after 45 seconds'`, `'could not be run (…)'` */
  readonly reason: string;
  constructor(reason: string) {
    super(`The code ${reason}.`);
    this.reason = reason;
  }
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
}

/** The part of a child process that a channel needs. */
export type ChildPort = Pick<ChildProcess, 'connected' | 'kill' | 'on' | 'once' | 'pid' | 'send'>;

export function createChildChannel<P extends Protocol>(
  child: ChildPort,
  onNote: (note: P['note']) => void = () => {},
): ChildChannel<P> {
  /** The questions that the child has not answered yet. */
  const waiting = new Map<number, Waiting>();
  let ended: ChildEnded | undefined;
  let lastId = 0;
  const end = (reason: string): void => {
    ended ??= new ChildEnded(reason);
    for (const { reject } of waiting.values()) reject(ended);
  };
  child.on('message', (message) => {
    if (!isOwnMessage(message)) return;
    const { capix, id = 0, content } = message;
    const question = waiting.get(id);
    if (capix === 'note') onNote(content);
    else if (capix === 'progress') question?.onProgress?.(content as never);
    else if (capix === 'answer') question?.resolve(content as never);
    else question?.reject(new Error(String(content)));
  });
  const exited = watchExit(child, end);
  const expire = (limitMs: number): void => {
    child.kill('SIGKILL');
    end(`was not done after ${limitMs / 1000} seconds`);
  };
  return {
    exited,
    ask: async (name, content, { limitMs, onProgress } = {}) => {
      if (ended !== undefined) throw ended;
      const id = ++lastId;
      const timer = limitMs === undefined ? undefined : setTimeout(expire, limitMs, limitMs);
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject, onProgress });
          child.send({ capix: 'question', id, name, content } satisfies Message, (error) => {
            if (error !== null) reject(new ChildEnded(`could not be run (${error.message})`));
          });
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    send: (content, socket) => {
      if (!child.connected) return false;
      // A message to a child that is just ending; its end is seen anyway.
      child.send({ capix: 'order', content } satisfies Message, socket, { keepOpen: true }, () => {});
      return true;
    },
    kill: () => void child.kill('SIGKILL'),
    terminate: (graceMs) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      void exited.then(() => clearTimeout(timer));
    },
  };
}

/** Gives the end of a process, and tells the reason to `end`. */
function watchExit(child: ChildPort, end: (reason: string) => void): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      end(`could not be run (${error.message})`);
      if (child.pid === undefined) resolve({ exitCode: undefined, signalName: undefined });
    });
    child.once('exit', (exitCode, signalName) => {
      end(`ended the process with ${signalName ?? `exit code ${String(exitCode)}`}`);
      resolve({ exitCode: exitCode ?? undefined, signalName: signalName ?? undefined });
    });
  });
}

export interface StartChildOptions<Note> extends Omit<ForkOptions, 'stdio' | 'serialization'> {
  /** The arguments that the child finds in `process.argv` after its file. @default none */
  readonly arguments?: readonly string[];
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

/**
 * Starts a process from a compiled file (absolute path, `*-child.js`) that answers by `connectToParent`. It ends with
 * this process (see `endChildren`), unless it is detached.
 */
export function startChild<P extends Protocol>(
  file: string,
  { output, onNote, arguments: args = [], ...options }: StartChildOptions<P['note']>,
): StartedChild<P> {
  const target = output === 'stderr' ? STDERR : output;
  const child = fork(file, args, { execArgv: [], ...options, stdio: ['ignore', target, target, 'ipc'] });
  if (child.pid !== undefined && options.detached !== true) endsWithProcess(child);
  return { channel: createChildChannel<P>(child, onNote), process: child };
}
