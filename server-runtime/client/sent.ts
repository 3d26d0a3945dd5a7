import type { ByteSource } from '../capability/answers/content.ts';
import type { ServerSentEvent } from '../capability/sse.ts';

/**
 * The type of a value as a caller gets it: dates, big integers, maps and sets as they are, of nothing `null`, of bytes
 * a `Blob`, of an async iterable one of its items, which are read as they come. `unknown` for a whole `Response`.
 */
export type Sent<Value> = unknown extends Value ? unknown : [ByteSource] extends [Value] ? Blob : SentAlone<Value>;

/** The type of one kind of value. */
export type SentAlone<Value> = Value extends void
  ? null
  : Value extends Bytes
    ? Blob
    : Value extends AsyncIterable<infer Item>
      ? AsyncIterable<SentItem<Item>>
      : SentPart<Value>;

/** The type of an item of a stream as a caller gets it: of `sse(…)` its data, of nothing `null`. */
export type SentItem<Item> = unknown extends Item
  ? unknown
  : Item extends ServerSentEvent<infer Data>
    ? SentItem<Data>
    : Item extends void
      ? null
      : SentPart<Item>;

/** Bytes, and the streams of Node and of the web, whose items are bytes. */
export type Bytes = Uint8Array | { readonly pipe: unknown } | { readonly getReader: unknown };

/** The values that arrive as they are. */
export type SentAsIs =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | Date
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;

/** The type of a field or an item for a caller. One that may be undefined may be missing. */
export type SentPart<Value> = unknown extends Value
  ? unknown
  : Value extends SentAsIs
    ? Value
    : Value extends { toJSON(): infer Json }
      ? SentPart<Json>
      : Value extends NotJson
        ? unknown
        : Value extends (...args: never) => unknown
          ? undefined
          : { [Field in keyof Value]: SentPart<Value[Field]> };

/** Streams, bytes and whole answers. */
export type NotJson =
  | AsyncIterable<unknown>
  | { readonly getReader: unknown }
  | ArrayBuffer
  | ArrayBufferView
  | { readonly arrayBuffer: unknown };
