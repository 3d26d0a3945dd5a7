import type { Readable } from 'node:stream';
import type { Reply } from './reply.ts';

declare const MISTAKE: unique symbol;

/** What the compiler shows in place of a type that cannot be: the text says what to do. No value has this type. */
export interface Mistake<Message extends string> {
  readonly [MISTAKE]: Message;
}

/**
 * `unknown` for a handler's value that can be an answer; else a `Mistake`: `reply(…)` is the whole answer, so it cannot stand inside a value, and
 * what is added to it is lost.
 */
export type SoundAnswer<Value> = [Value] extends [Leaf]
  ? unknown
  : Value extends Reply<infer T>
    ? [Exclude<keyof Value, keyof Reply>] extends [never]
      ? Unnested<T>
      : Mistake<'Fields beside those of reply(…) are lost. Put them into its data: reply({ ...data, more }).'>
    : Unnested<Value>;

type Unnested<Value> =
  true extends HoldsReply<Value>
    ? Mistake<'reply(…) stands inside the answer, where it is only data. Return reply(…) itself.'>
    : unknown;

/** Two levels deep: `{item: reply(…)}`, `[reply(…)]`, `{items: [reply(…)]}`. Deeper costs more than it finds. */
type HoldsReply<Value> = Value extends Leaf
  ? false
  : Value extends readonly (infer Item)[]
    ? IsReply<Item>
    : Value extends object
      ? { [Field in keyof Value]: IsReplyOrList<Value[Field]> }[keyof Value]
      : false;

type IsReplyOrList<Value> = Value extends readonly (infer Item)[] ? IsReply<Item> : IsReply<Value>;

/** `any` and `unknown` may be anything, so they are not taken for it. */
type IsReply<Value> = unknown extends Value ? false : Value extends Reply ? true : false;

/** Has no fields that could hold a reply. */
type Leaf =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  | Readable
  | Response
  | ((...args: never) => unknown);
