import type { SendHandle } from 'node:child_process';
import { writeSync } from 'node:fs';

export interface Protocol {
  /** The parent tells the child, and wants no answer. */
  readonly order: unknown;
  /** The child tells the parent, unasked. */
  readonly note: unknown;
  /** The questions of the parent, by name; `progress` is sent while the child works on the answer. */
  readonly questions: Readonly<
    Record<
      string,
      { readonly question: unknown; readonly progress: unknown; readonly answer: unknown }
    >
  >;
}

export interface Message {
  readonly capix: 'order' | 'note' | 'question' | 'progress' | 'answer' | 'refusal';
  readonly id?: number;
  readonly name?: string;
  readonly content?: unknown;
}

/** User code may send and receive messages of its own, which have no such key. */
export function isOwnMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'capix' in message;
}

export interface ParentChannelOptions<P extends Protocol> {
  /** The answer to each question. What is thrown reaches the parent as a message. */
  readonly answers: {
    readonly [Name in keyof P['questions']]: (
      question: P['questions'][Name]['question'],
      /** Resolves when it is written, so that what comes next is made while it is read. */
      tell: (progress: P['questions'][Name]['progress']) => Promise<void>,
    ) => Promise<P['questions'][Name]['answer']>;
  };
  readonly onOrder?: (order: P['order'], handle: unknown) => void;
  /** The milliseconds that this process has to end, by SIGTERM, when the parent has ended. @default it ends at once */
  readonly orphanGraceMs?: number;
  readonly port?: ParentPort;
}

export type ParentPort = Pick<
  NodeJS.Process,
  'channel' | 'connected' | 'kill' | 'on' | 'once' | 'pid' | 'send'
>;

/** The child's end of the channel to the process that started it. */
export type ParentChannel<Note> = ReturnType<
  typeof connectToParent<Protocol & { readonly note: Note }>
>;

/** The descriptor of what a process writes at its very end. */
export const LAST_WORDS = 4;

/**
 * Writes to the parent before the process ends in this turn. A message may not arrive then: the channel holds all
 * messages back while a socket is on its way.
 */
export function writeLastWords(text: string): void {
  try {
    writeSync(LAST_WORDS, text);
  } catch {
    // The parent has ended.
  }
}

/** The time between two looks at whether the parent is there, milliseconds. */
const LOOK_MS = 1_000;

export function connectToParent<P extends Protocol>({
  answers,
  onOrder = () => {},
  orphanGraceMs,
  port = process,
}: ParentChannelOptions<P>) {
  const send = (message: Message, handle?: object): Promise<void> =>
    new Promise((resolve) => {
      if (port.connected)
        port.send?.(message, handle as SendHandle | undefined, undefined, () => resolve());
      else resolve();
    });
  const answer = async ({ id = 0, name = '', content }: Message): Promise<void> => {
    try {
      const found = await answers[name]?.(content, (progress) =>
        send({ capix: 'progress', id, content: progress }),
      );
      await send({ capix: 'answer', id, content: found });
    } catch (thrown) {
      await send({
        capix: 'refusal',
        id,
        content: thrown instanceof Error ? thrown.message : String(thrown),
      });
    }
  };
  port.on('message', (message, handle) => {
    if (!isOwnMessage(message)) return;
    if (message.capix === 'order') onOrder(message.content, handle);
    else void answer(message);
  });
  let hasEnded = false;
  const endAlone = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    // Node 20 waits at its exit for the thread of hooks, perhaps for ever, and no timer fires meanwhile.
    const kill = (): boolean => port.kill(port.pid, 'SIGKILL');
    if (orphanGraceMs === undefined) return void kill();
    setTimeout(kill, orphanGraceMs).unref();
    port.once('exit', kill);
    port.kill(port.pid, 'SIGTERM');
  };
  port.once('disconnect', endAlone);
  // The parent may have ended while this process started; without a channel it is undefined.
  if (port.connected === false) endAlone();
  let looks: NodeJS.Timeout | undefined;
  /** Node emits no `disconnect` where the parent ends before it has acknowledged a socket. */
  const lookForEnd = (): void => {
    looks ??= setInterval(() => {
      if (port.connected === false) endAlone();
    }, LOOK_MS).unref();
  };
  let holders = 0;
  return {
    /** Resolves when the note is written, or cannot be. A socket that goes with it stays open here, too. */
    send: (content: P['note'], socket?: object): Promise<void> => {
      if (socket !== undefined) lookForEnd();
      return send({ capix: 'note', content }, socket);
    },
    /** Keeps the process alive, as a listening port would, until the function that it gives is called. */
    hold: (): (() => void) => {
      holders += 1;
      port.channel?.ref();
      return () => {
        holders -= 1;
        if (holders === 0) port.channel?.unref();
      };
    },
  };
}
