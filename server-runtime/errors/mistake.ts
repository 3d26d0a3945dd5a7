declare const MISTAKE: unique symbol;

/** What the compiler shows in place of a type that cannot be: the text says what to do. No value has this type. */
export interface Mistake<Message extends string> {
  readonly [MISTAKE]: Message;
}

/** What the compiler shows for a function in place of what is made of it: the text says by what. No function has this type. */
export interface Unwrapped<Message extends string> extends Mistake<Message> {
  /** So that a function fits it, as far as the message. */
  (...args: never): unknown;
}
