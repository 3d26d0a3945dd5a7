const REPLY: unique symbol = Symbol.for('capix.reply') as never;

/** The parts of a `reply` besides the data. */
export interface ReplyOptions<Status extends number | undefined = number | undefined> {
  /** 200 to 599. @default that of the first declared answer, 200 where none is declared */
  readonly status?: Status | undefined;
  /** Names in any case. A `content-type` sends text or bytes as they are, without the envelope. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/**
 * A handler's value with the status and headers of its HTTP answer; other transports, `invoke` and `resolve` give its
 * data. It is the whole answer: one that stands inside another value does not compile.
 */
export interface Reply<out T = unknown, out Status extends number | undefined = number | undefined> {
  readonly [REPLY]: true;
  /** The data that callers get. */
  readonly data: T;
  /** Status of the HTTP answer; undefined takes that of the first declared answer. */
  readonly status: Status;
  /** Headers of the HTTP answer, as given. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** The part of a handler's value that a caller gets: the data of a reply, anything else as it is. */
export type Unreply<Value> = Value extends Reply<infer T> ? T : Value;

/** A handler's value as its capability keeps it: a reply of a status other than 200 stays one, as it is declared. */
export type Replied<Value> =
  Value extends Reply<infer T, infer Status> ? (IsOther<Status> extends true ? Value : T) : Value;

/** Whether a status is known to the compiler, and another than 200. */
export type IsOther<Status> = number extends Status ? false : Status extends 200 | undefined ? false : true;

/**
 * Answers with `data` under another status or with more headers. A reply to a reply, as an enhancer may make it, keeps
 * what it does not replace.
 *
 * @throws RangeError for a status that is not an integer from 200 to 599
 *
 * @example
 * ```ts
 * export const createUser = capability(z.object({ name: z.string() }), ({ name }) => {
 *   const user = { id: '7', name };
 *   return reply(user, { status: 201, headers: { location: `/users/${user.id}` } });
 * });
 * ```
 */
export function reply<T, const Status extends number | undefined = undefined>(
  data: T,
  options: ReplyOptions<Status> = {},
): Reply<Unreply<T>, Status> {
  const inner = isReply(data) ? data : undefined;
  const { status = inner?.status, headers = {} } = options;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new RangeError(`reply: the status must be an integer from 200 to 599, got ${String(status)}.`);
  return {
    [REPLY]: true,
    data: toReplyData(data) as Unreply<T>,
    status: status as Status,
    headers: inner === undefined ? headers : joinHeaders(inner.headers, headers),
  };
}

/** Names are compared in any case. Cookies of both are set. */
function joinHeaders(inner: Reply['headers'], outer: Reply['headers']): Reply['headers'] {
  const joined = new Map(Object.entries(inner).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(outer)) {
    const lower = name.toLowerCase();
    const cookies = lower === 'set-cookie' ? joined.get(lower) : undefined;
    joined.set(lower, cookies === undefined ? value : [cookies, value].flat());
  }
  return Object.fromEntries(joined);
}

/** Whether `value` was made by `reply`, of this copy of the package or another. */
export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && REPLY in value;
}

/** The part of a handler's value that a caller gets: the data of a reply, anything else as it is. */
export function toReplyData(value: unknown): unknown {
  return isReply(value) ? value.data : value;
}
