import type { ServerSentEvent } from '../capability/sse.ts';

/**
 * The type of a value as a caller gets it: dates, big integers, maps and sets as they are, of nothing `null`, of an async iterable one of its items, which
 * are read as they come. `unknown` for bytes and answers that are not JSON.
 */
export type Sent<Value> = unknown extends Value
  ? unknown
  : Value extends void
    ? null
    : Value extends ByteStream
      ? unknown
      : Value extends AsyncIterable<infer Item>
        ? AsyncIterable<SentItem<Item>>
        : SentPart<Value>;

/** The type of an item of a stream as a caller gets it: of `sse(…)` its data. */
export type SentItem<Item> = Item extends ServerSentEvent<infer Data> ? SentPart<Data> : SentPart<Item>;

/** Streams of Node and of the web, whose items are bytes. */
export type ByteStream = { readonly pipe: unknown } | { readonly getReader: unknown };

/**
 * The type of a field or an item as a caller gets it. One that may be undefined may be missing, so that it stays what it is. `Kept` are the values
 * that arrive as they are, though JSON has texts for them.
 */
export type SentPart<
  Value,
  Kept = bigint | Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>,
> = unknown extends Value
  ? unknown
  : Value extends string | number | boolean | null | undefined | Kept
    ? Value
    : Value extends bigint
      ? string
      : Value extends { toJSON(): infer Json }
        ? SentPart<Json, Kept>
        : Value extends NotJson
          ? unknown
          : Value extends (...args: never) => unknown
            ? undefined
            : { [Field in keyof Value]: SentPart<Value[Field], Kept> };

/** Streams, bytes and whole answers. */
export type NotJson =
  | AsyncIterable<unknown>
  | { readonly getReader: unknown }
  | ArrayBuffer
  | ArrayBufferView
  | { readonly arrayBuffer: unknown };
