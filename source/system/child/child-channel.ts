import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { isOwnMessage, type NoteMessage, type OrderMessage, type Protocol } from './protocol.ts';

/** The parent's end of the channel to one child process. */
export interface ChildChannel<P extends Protocol> {
  /** False when the order cannot reach the child. A socket stays open here, too: the child may end before it has taken it. */
  readonly send: (order: P['order'], socket?: Socket) => boolean;
  /** Rejects with `ChildEnded` where the child ends before it answers, and with the message of the child where it refuses. */
  readonly ask: <Name extends string & keyof P['questions']>(
    name: Name,
    question: P['questions'][Name]['question'],
    options?: AskOptions<P['questions'][Name]['progress']>,
  ) => Promise<P['questions'][Name]['answer']>;
  /** Resolves when the process is gone, or could not be started. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the process at once. */
  readonly kill: () => void;
  /** Asks the process to end with SIGTERM, on Windows by a message, and kills it after `graceMs` milliseconds. */
  readonly terminate: (graceMs: number) => void;
}

export interface AskOptions<Progress> {
  /** The time that the child may take to answer before it is killed, milliseconds. @default no limit */
  readonly limitMs?: number | undefined;
  /** `limit` gives the child another limit, from now on. */
  readonly onProgress?: (progress: Progress, limit: (limitMs: number) => void) => void;
}

/** The end of a process: one of the two is known, and neither where it could not be started. */
export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
}

/** The part of a child process that a channel needs. */
export type ChildPort = Pick<
  ChildProcess,
  'connected' | 'exitCode' | 'kill' | 'on' | 'once' | 'pid' | 'send' | 'signalCode'
>;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: unknown, limit: (limitMs: number) => void) => void) | undefined;
  readonly limit: (limitMs: number | undefined) => void;
}

export function createChildChannel<P extends Protocol>(
  child: ChildPort,
  onNote: (note: P['note']) => void = () => {},
  platform: NodeJS.Platform = process.platform,
): ChildChannel<P> {
  const questions = createQuestions(child);
  child.on('message', (message) => {
    if (!isOwnMessage<NoteMessage>(message)) return;
    if (message.capix === 'note') onNote(message.content);
    else questions.take(message);
  });
  const exited = new Promise<ProcessExit>((resolve) => {
    child.on('error', (error) => {
      questions.end(`could not be run (${error.message})`);
      if (child.pid === undefined) resolve({ exitCode: undefined, signalName: undefined });
    });
    child.once('exit', (exitCode, signalName) => {
      questions.end(`ended the process with ${signalName ?? `exit code ${String(exitCode)}`}`);
      resolve({ exitCode: exitCode ?? undefined, signalName: signalName ?? undefined });
    });
  });
  return {
    send: (content, socket) => {
      if (!child.connected) return false;
      const message: OrderMessage = { capix: 'order', content };
      // A message to a child that is just ending; its end is seen anyway.
      child.send(message, socket, { keepOpen: true }, () => {});
      return true;
    },
    ask: (name, content, options) => questions.ask({ name, content }, options as AskOptions<unknown>),
    exited,
    kill: () => void child.kill('SIGKILL'),
    terminate: (graceMs) => {
      if (platform === 'win32' && child.connected) child.send({ capix: 'end' } satisfies OrderMessage, () => {});
      else child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      void exited.then(() => clearTimeout(timer));
    },
  };
}

/** The questions that a child has not answered yet. */
function createQuestions(child: ChildPort) {
  const waiting = new Map<number, Waiting>();
  let ended: ChildEnded | undefined;
  let lastId = 0;

  /** Nothing more is heard of a question. */
  const drop = (id: number): Waiting | undefined => {
    const question = waiting.get(id);
    question?.limit(undefined);
    waiting.delete(id);
    return question;
  };
  const end = (reason: string): void => {
    ended ??= new ChildEnded(reason);
    for (const id of waiting.keys()) drop(id)?.reject(ended);
  };
  const createLimit = (): Waiting['limit'] => {
    let timer: NodeJS.Timeout | undefined;
    return (limitMs) => {
      clearTimeout(timer);
      if (limitMs === undefined) return;
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        end(`was not done after ${limitMs / 1000} seconds`);
      }, limitMs);
    };
  };
  return {
    end,
    ask: (
      { name, content }: { readonly name: string; readonly content: unknown },
      { limitMs, onProgress }: AskOptions<unknown> = {},
    ) =>
      new Promise<unknown>((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const id = ++lastId;
        const limit = createLimit();
        limit(limitMs);
        waiting.set(id, { resolve, reject, onProgress, limit });
        const message: OrderMessage = { capix: 'question', id, name, content };
        child.send(message, (error) => {
          if (error !== null) drop(id)?.reject(new ChildEnded(`could not be run (${error.message})`));
        });
      }),
    take: (message: Exclude<NoteMessage, { readonly capix: 'note' }>): void => {
      switch (message.capix) {
        case 'progress': {
          const question = waiting.get(message.id);
          return question?.onProgress?.(message.content, question.limit);
        }
        case 'answer':
          return drop(message.id)?.resolve(message.content);
        case 'refusal':
          return drop(message.id)?.reject(new Error(message.message));
      }
    },
  };
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
