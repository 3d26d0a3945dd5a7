declare const MISTAKE: unique symbol;

/** The compiler shows this text in place of a type that is wrong; it explains what to do. No value has this type. */
export interface Mistake<Message extends string> {
  readonly [MISTAKE]: Message;
}

/** The compiler shows this in place of the result of a function. No function has this type. */
export interface Unwrapped<Message extends string> extends Mistake<Message> {
  (...args: never): unknown;
}
