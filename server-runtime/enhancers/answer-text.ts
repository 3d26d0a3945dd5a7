import type { Answer } from '../capability/enhancer.ts';
import { isReply, type ReplyOptions, reply } from '../capability/reply.ts';

type Writers = Readonly<Record<string, (value: unknown) => unknown>>;

/** Writes values as texts: JSON, and dates, maps, sets, big integers and bytes, which JSON cannot tell apart. */
export interface AnswerCodec {
  /** Undefined for an answer that a text cannot hold: functions, streams, instances of classes. */
  readonly write: (value: unknown) => string | undefined;
  readonly read: (text: string) => Answer;
  /**
   * A text that is equal for equal values, whatever the order of their fields; undefined where a value has no such
   * text.
   */
  readonly toKey: (value: unknown, writers?: Writers) => string | undefined;
}

export async function loadAnswerCodec(): Promise<AnswerCodec> {
  const { parse, stringify } = await import('devalue');
  const writers: Writers = {
    Reply: (value) =>
      isReply(value) && [value.data, { status: value.status, headers: value.headers }],
    Buffer: (value) => Buffer.isBuffer(value) && value.toString('base64'),
  };
  const readers = {
    Reply: ([data, options]: [unknown, ReplyOptions]) => reply(data, options),
    Buffer: (text: string) => Buffer.from(text, 'base64'),
  };
  const write = (value: unknown, own = writers): string | undefined => {
    try {
      return stringify(value, own);
    } catch {
      return undefined;
    }
  };
  return {
    write,
    read: (text) => parse(text, readers) as Answer,
    toKey: (value, own) => write(value, { ...own, Fields: toSortedFields }),
  };
}

/** The fields of a plain object, sorted by name, without those that are undefined. */
function toSortedFields(value: unknown): unknown {
  const prototype: unknown =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const fields = Object.entries(value as object).filter((field) => field[1] !== undefined);
  return fields.sort(([one], [other]) => (one < other ? -1 : 1));
}
