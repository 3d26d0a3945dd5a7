import { expectHeaders } from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { isAsyncIterable, isByteStream, isResponse } from '../resources/item-source.ts';

export const REPLY: unique symbol = Symbol.for('capix.reply');
const SSE: unique symbol = Symbol.for('capix.sse');

export interface ReplyOptions<Status extends number | undefined = number | undefined> {
  /** 200 to 599. @default that of the first declared answer, 200 where none is declared */
  readonly status?: Status | undefined;
  /** Names in any case. A `content-type` sends text or bytes as they are, without the envelope. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** A handler's value with the status and headers of its HTTP answer. It is the whole answer, never inside a value. */
export interface Reply<
  out T = unknown,
  out Status extends number | undefined = number | undefined,
> {
  readonly [REPLY]: true;
  /** The data that callers get. */
  readonly data: T;
  /** Status of the HTTP answer; undefined takes that of the first declared answer. */
  readonly status: Status;
  /** Headers of the HTTP answer, as the handler wrote them. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** The part of a handler's value that a caller gets: the data of a reply, anything else as it is. */
export type Unreply<Value> = Value extends Reply<infer T> ? T : Value;

/** Answers with `data` under another status or with more headers; around a reply, it keeps what it does not replace. */
// Without a status there is nothing to infer one from: behind declared answers, the compiler would take one of theirs.
export function reply<T>(
  data: T,
  options?: ReplyOptions<undefined> & { readonly status?: undefined },
): Reply<Unreply<T>, undefined>;
/** With another status. */
export function reply<T, const Status extends number | undefined = undefined>(
  data: T,
  options?: ReplyOptions<Status>,
): Reply<Unreply<T>, number extends Status ? undefined : Status>;
export function reply<T, const Status extends number | undefined = undefined>(
  data: T,
  options: ReplyOptions<Status> = {},
): Reply<Unreply<T>, number extends Status ? undefined : Status> {
  const inner = isReply(data) ? data : undefined;
  const { status = inner?.status, headers = {} } = options;
  if (status !== undefined) expectInteger('reply status', status, { min: 200, max: 599 });
  expectHeaders('reply headers', headers);
  return {
    [REPLY]: true,
    data: toReplyData(data) as Unreply<T>,
    status: status as never,
    headers: inner === undefined ? headers : joinReplyHeaders(inner.headers, headers),
  };
}

/** The headers of both, by their names in lower case. The outer ones replace the others, and add to cookies. */
export function joinReplyHeaders(
  inner: Reply['headers'],
  outer: Reply['headers'],
): Reply['headers'] {
  const joined = new Map(Object.entries(inner).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(outer)) {
    const lower = name.toLowerCase();
    const cookies = lower === 'set-cookie' ? joined.get(lower) : undefined;
    joined.set(lower, cookies === undefined ? value : [cookies, value].flat());
  }
  return Object.fromEntries(joined);
}

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && REPLY in value;
}

export function toReplyData(value: unknown): unknown {
  return isReply(value) ? value.data : value;
}

/** Whether a value is certainly data, neither a reply nor a stream. Callers check this first: nearly every value is. */
export function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    !(REPLY in value) &&
    !(Symbol.asyncIterator in value)
  );
}

/** Whether the code of a handler may still run while its value is read: for a stream, or the body of a `Response`. */
export function hasItems(value: unknown): boolean {
  if (isPlainData(value)) return false;
  const data = toReplyData(value);
  return isAsyncIterable(data) || isByteStream(data) || isResponse(data);
}

export interface SseOptions {
  /** The type of the event, which `addEventListener` names in a browser. @default 'message' */
  readonly event?: string | undefined;
  /** The id that a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string | undefined;
  /** The time that a client waits before it connects again, milliseconds. */
  readonly retryMs?: number | undefined;
}

/** An item of an async iterable with the further fields of a server-sent event. Other formats send its data alone. */
export interface ServerSentEvent<T = unknown> extends SseOptions {
  readonly [SSE]: true;
  /** The item itself. */
  readonly data: T;
}

/** An item with a name or an id, each of one line, where an async iterable becomes server-sent events. */
export function sse<T>(data: T, { event, id, retryMs }: SseOptions = {}): ServerSentEvent<T> {
  // A line break would begin another field; clients pass over an id with a NUL.
  for (const [field, value] of Object.entries({ event, id }))
    if (value !== undefined && !(typeof value === 'string' && /^[^\r\n\0]*$/.test(value)))
      throw new TypeError(
        `sse ${field}: expected a text of one line, got ${JSON.stringify(value)}.`,
      );
  if (retryMs !== undefined) expectInteger('sse retryMs', retryMs, { min: 0 });
  return { [SSE]: true, data, event, id, retryMs };
}

export function isSse(value: unknown): value is ServerSentEvent {
  return typeof value === 'object' && value !== null && SSE in value;
}

/** `unknown` for a handler's value that can be an answer; else a `Mistake`: `reply(…)` is the whole answer. */
export type SoundAnswer<Value> = [Value] extends [never]
  ? unknown
  : Value extends Reply<infer T>
    ? [Exclude<keyof Value, keyof Reply>] extends [never]
      ? SoundAnswer<T>
      : Mistake<'Fields beside those of reply(…) are lost. Put them into its data: reply({ ...data, more }).'>
    : true extends HoldsReply<Value[keyof Value]>
      ? Mistake<'reply(…) stands inside the answer, where it is only data. Return reply(…) itself.'>
      : unknown;

/** Whether a value is a reply, or a list of some; `any` and `unknown` are not taken for it. */
export type HoldsReply<Value> = unknown extends Value
  ? false
  : Value extends Reply
    ? true
    : Value extends readonly (infer Item)[]
      ? HoldsReply<Item>
      : false;

/** The texts of an event that many streams send, by the function that makes them. */
const TEXTS: unique symbol = Symbol.for('capix.texts');

type ToText = (value: unknown, key?: string) => string;

interface SharedEvent extends ServerSentEvent {
  readonly [TEXTS]: Map<ToText, string>;
}

/** Freezes an event that is the same for many streams: each of its texts is made once. */
export function shareTexts<T>(event: ServerSentEvent<T>): ServerSentEvent<T> {
  freeze(event.data);
  return Object.freeze(Object.defineProperty(event, TEXTS, { value: new Map() }));
}

/** Freezes lists and objects with all that they hold. A value may hold itself. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

export function hasSharedTexts(event: ServerSentEvent): event is SharedEvent {
  return TEXTS in event;
}

/** The text of an item, or of the data of an event; `key` names the capability in errors. */
export function toTextOfItem(item: unknown, toText: ToText, key?: string): string {
  if (!isSse(item)) return toText(item, key);
  if (!hasSharedTexts(item)) return toText(item.data, key);
  const texts = item[TEXTS];
  const text = texts.get(toText) ?? toText(item.data, key);
  texts.set(toText, text);
  return text;
}
