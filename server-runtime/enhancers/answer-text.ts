import type { Answer } from '../capability/enhancer.ts';
import { isReply, type Reply, reply } from '../capability/reply.ts';

/** Writes answers as texts, and reads them: each reader has an answer of its own. */
export interface AnswerCodec {
  /** Undefined for an answer that a text cannot hold: functions, streams, instances of classes. */
  readonly write: (value: unknown) => string | undefined;
  readonly read: (text: string) => Answer;
}

/** JSON, and what JSON cannot tell apart: dates, maps, sets, big integers, bytes, undefined. */
export async function loadAnswerCodec(): Promise<AnswerCodec> {
  const { parse, stringify } = await import('devalue');
  const writers = { Buffer: (value: unknown) => Buffer.isBuffer(value) && value.toString('base64') };
  const readers = { Buffer: (text: string) => Buffer.from(text, 'base64') };
  return {
    write: (value) => {
      const { data, status, headers }: Partial<Reply> = isReply(value) ? value : { data: value };
      try {
        return stringify(headers === undefined ? { data } : { data, status, headers }, writers);
      } catch {
        return undefined;
      }
    },
    read: (text) => {
      const { data, status, headers } = parse(text, readers) as Partial<Reply>;
      return (headers === undefined ? data : reply(data, { status, headers })) as Answer;
    },
  };
}

/** Gives the text of an instance of a class, by that of its parts. */
export type InstanceText = (instance: object, toText: (part: unknown) => string) => string;

/**
 * A text that is equal for equal values, whatever the order of their fields. Undefined for a value that holds itself, a
 * function, or an instance of a class that `instanceText` has no text for.
 */
export function toPartsText(value: unknown, instanceText: InstanceText = refuse): string | undefined {
  const toText = (part: unknown): string => {
    if (typeof part === 'string') return JSON.stringify(part);
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'function' || typeof part === 'symbol') return refuse();
    if (typeof part !== 'object' || part === null) return String(part);
    if (Array.isArray(part)) return `[${part.map(toText).join()}]`;
    if (part instanceof Date) return `Date(${part.getTime()})`;
    const prototype: unknown = Object.getPrototypeOf(part);
    return prototype === Object.prototype || prototype === null
      ? toFieldsText(part, toText)
      : instanceText(part, toText);
  };
  try {
    return toText(value);
  } catch {
    // A value inside itself comes here too, by the depth of the calls.
    return undefined;
  }
}

/** `{"a":1}`, sorted by name; a field that is undefined is none. */
export function toFieldsText(value: object, toText: (part: unknown) => string): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}:${toText(field)}`);
  return `{${texts.sort().join()}}`;
}

function refuse(): never {
  throw new TypeError('It has no text of its own.');
}
