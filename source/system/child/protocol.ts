/** The messages between a process and its parent. */
export interface Protocol {
  /** The parent tells the child, and wants no answer. */
  readonly order: unknown;
  /** The child tells the parent, unasked. */
  readonly note: unknown;
  /** The questions of the parent, by name; `progress` is said while the child works on the answer. */
  readonly questions: Readonly<
    Record<string, { readonly question: unknown; readonly progress: unknown; readonly answer: unknown }>
  >;
}

/**
 * A message as it travels. `end` is in place of the signal on Windows, where it would end the process before its code
 * could.
 */
export interface Message {
  readonly capix: 'order' | 'note' | 'end' | 'question' | 'progress' | 'answer' | 'refusal';
  /** The question that it is, or belongs to. */
  readonly id?: number;
  /** The name of a question. */
  readonly name?: string;
  readonly content?: unknown;
}

/** User code may send and receive messages of its own, which have no such key. */
export function isOwnMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'capix' in message;
}
