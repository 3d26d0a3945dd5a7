import type { Answer } from '../capability/enhancer.ts';
import { isReply, type Reply, reply } from '../capability/reply.ts';

/** Writes answers as texts that hold the same, and reads them: each reader has an answer of its own. */
export interface AnswerCodec {
  /** Undefined for an answer that a text cannot hold: functions, streams, instances of classes. */
  readonly write: (value: unknown) => string | undefined;
  readonly read: (text: string) => Answer;
}

/** JSON, and what JSON cannot tell apart: dates, maps, sets, big integers, bytes, undefined. */
export async function loadAnswerCodec(): Promise<AnswerCodec> {
  const { parse, stringify } = await import('devalue');
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

const writers = { Buffer: (value: unknown) => Buffer.isBuffer(value) && value.toString('base64') };
const readers = { Buffer: (text: string) => Buffer.from(text, 'base64') };
