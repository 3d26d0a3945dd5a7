import { type ChildProcess, type ForkOptions, fork, type SendHandle } from 'node:child_process';
import type { Readable } from 'node:stream';
import { endsWithProcess, leadsGroup } from '../terminal/end-process.ts';
import { isOwnMessage, LAST_WORDS, type Message, type Protocol } from './parent-channel.ts';

export type ChildChannel<P extends Protocol> = ReturnType<typeof createChildChannel<P>>;

interface AskOptions<Progress> {
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

export class ChildEnded extends Error {
  /** `'ended the process with exit code 3'`, `'was not done after 45 seconds'`, `'could not be run (…)'` */
  readonly reason: string;
  constructor(reason: string) {
    super(`The code ${reason}.`);
    this.reason = reason;
  }
}

export type ChildPort = Pick<ChildProcess, 'connected' | 'kill' | 'on' | 'once' | 'pid' | 'send'>;

export function createChildChannel<P extends Protocol>(
  child: ChildPort,
  onNote: (note: P['note'], handle: unknown) => void = () => {},
) {
  /** Takes what the child says of a question that it has not answered yet, or why it never will. */
  const waiting = new Map<
    number,
    (message: Pick<Message, 'capix' | 'content'> | ChildEnded) => void
  >();
  let ended: ChildEnded | undefined;
  let lastId = 0;
  const end = (reason: string): void => {
    ended ??= new ChildEnded(reason);
    for (const take of waiting.values()) take(ended);
  };
  child.on('message', (message, handle) => {
    if (!isOwnMessage(message)) return;
    if (message.capix === 'note') onNote(message.content, handle);
    else waiting.get(message.id ?? 0)?.(message);
  });
  const exited = watchExit(child, end);
  return {
    exited,
    /** Rejects with `ChildEnded` where the child ends before it answers, and with its message where it refuses. */
    ask: async <Name extends string & keyof P['questions']>(
      name: Name,
      content: P['questions'][Name]['question'],
      { limitMs, onProgress }: AskOptions<P['questions'][Name]['progress']> = {},
    ): Promise<P['questions'][Name]['answer']> => {
      if (ended !== undefined) throw ended;
      const id = ++lastId;
      const expire = (): void => {
        child.kill('SIGKILL');
        end(`was not done after ${Number(limitMs) / 1000} seconds`);
      };
      const timer = limitMs === undefined ? undefined : setTimeout(expire, limitMs);
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, (reply) => {
            if (reply instanceof ChildEnded) reject(reply);
            else if (reply.capix === 'progress') onProgress?.(reply.content);
            else if (reply.capix === 'answer') resolve(reply.content);
            else reject(new Error(String(reply.content)));
          });
          child.send({ capix: 'question', id, name, content } satisfies Message, (error) => {
            if (error !== null) reject(new ChildEnded(`could not be run (${error.message})`));
          });
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    /**
     * False when the order cannot reach the child. A socket stays open here, too, whether it is a connection or
     * listens: the child may end first.
     */
    send: (content: P['order'], socket?: object): boolean => {
      // A child that is just ending does not hear it; its end is seen anyway.
      if (child.connected)
        child.send(
          { capix: 'order', content } satisfies Message,
          socket as SendHandle | undefined,
          { keepOpen: true },
          () => {},
        );
      return child.connected;
    },
    kill: (): void => void child.kill('SIGKILL'),
    /** Asks the process to end with SIGTERM, and kills it after `graceMs` milliseconds. */
    terminate: (graceMs: number): void => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      void exited.then(() => clearTimeout(timer));
    },
  };
}

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

interface StartChildOptions<Note> extends Omit<ForkOptions, 'stdio' | 'serialization'> {
  /** The arguments that the child finds in `process.argv` after its file. @default none */
  readonly arguments?: readonly string[];
  /**
   * The receiver of what the child writes to its descriptors 1 and 2: this process, nobody, or the stderr of this
   * process.
   */
  readonly output: 'pipe' | 'ignore' | 'stderr';
  readonly onNote?: (note: Note, handle: unknown) => void;
  /** Takes what the child has written by `writeLastWords`. @default it can write none */
  readonly onLastWords?: (text: string) => void;
}

const STDERR = 2;
/** The end of what a child may write there: code that catches its own errors can write it again and again. */
const MAX_LAST_WORDS = 65_536;

/** Calls `onEnd` once, with the last characters of a stream. */
function readLastWords(stream: Readable, onEnd: (text: string) => void): void {
  let last = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    last = (last + text).slice(-MAX_LAST_WORDS);
  });
  stream.once('end', () => onEnd(last));
  // What was read before the pipe broke is not whole.
  stream.on('error', () => {});
}

/** Starts a compiled file (`*-child.js`), which ends with this process (see `endChildren`), unless it is detached. */
export function startChild<P extends Protocol>(
  file: string,
  { output, onNote, onLastWords, arguments: args = [], ...options }: StartChildOptions<P['note']>,
) {
  const target = output === 'stderr' ? STDERR : output;
  const child = fork(file, args, {
    execArgv: [],
    ...options,
    stdio: ['ignore', target, target, 'ipc', onLastWords === undefined ? 'ignore' : 'pipe'],
  });
  const lastWords = child.stdio[LAST_WORDS] as Readable | null | undefined;
  if (onLastWords !== undefined && lastWords) readLastWords(lastWords, onLastWords);
  if (options.detached === true) leadsGroup(child);
  else if (child.pid !== undefined) endsWithProcess(child);
  return { channel: createChildChannel<P>(child, onNote), process: child };
}
