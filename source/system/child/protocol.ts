/** The messages between a process and its parent. */
export interface Protocol {
  /** The parent tells the child, and wants no answer. */
  readonly order: unknown;
  /** The child tells the parent, unasked. */
  readonly note: unknown;
  /** The questions of the parent, by name. */
  readonly questions: Readonly<Record<string, Question>>;
}

interface Question {
  readonly question: unknown;
  /** The messages of the child while it works on the answer. */
  readonly progress: unknown;
  readonly answer: unknown;
}

/** The messages as they travel. User code may send and receive messages of its own, which have no such key. */
export type OrderMessage =
  | { readonly capix: 'order'; readonly content: unknown }
  /** In place of the signal, on Windows: there it would end the process before its code could. */
  | { readonly capix: 'end' }
  | { readonly capix: 'question'; readonly id: number; readonly name: string; readonly content: unknown };

export type NoteMessage =
  | { readonly capix: 'note'; readonly content: unknown }
  | { readonly capix: 'progress' | 'answer'; readonly id: number; readonly content: unknown }
  | { readonly capix: 'refusal'; readonly id: number; readonly message: string };

/** Whether a message is one of these two. */
export function isOwnMessage<Message extends OrderMessage | NoteMessage>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'capix' in message;
}
