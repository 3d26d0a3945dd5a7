import type { Readable } from 'node:stream';
import type { Mistake } from '../errors/mistake.ts';
import type { Reply } from './reply.ts';

/**
 * `unknown` for a handler's value that can be an answer; else a `Mistake`: `reply(…)` is the whole answer, so it cannot
 * stand inside a value, and what is added to it is lost.
 */
export type SoundAnswer<Value> = [Value] extends [Leaf]
  ? unknown
  : Value extends Reply<infer T>
    ? [Exclude<keyof Value, keyof Reply>] extends [never]
      ? SoundData<T>
      : Mistake<'Fields beside those of reply(…) are lost. Put them into its data: reply({ ...data, more }).'>
    : SoundData<Value>;

/** `unknown` for data that holds no reply; else a `Mistake`. */
export type SoundData<Value> =
  true extends HoldsReply<Value, true>
    ? Mistake<'reply(…) stands inside the answer, where it is only data. Return reply(…) itself.'>
    : unknown;

/**
 * Whether a reply is in a value, in its fields and in lists: `{items: [reply(…)]}`. Deeper costs more than it finds.
 * `any` and `unknown` may be anything, so they are not taken for it.
 */
export type HoldsReply<Value, IsOutermost extends boolean> = unknown extends Value
  ? false
  : Value extends Leaf
    ? false
    : Value extends Reply
      ? true
      : Value extends readonly (infer Item)[]
        ? HoldsReply<Item, false>
        : IsOutermost extends true
          ? { [Field in keyof Value]: HoldsReply<Value[Field], false> }[keyof Value]
          : false;

/** A value without fields that could hold a reply. */
export type Leaf =
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
