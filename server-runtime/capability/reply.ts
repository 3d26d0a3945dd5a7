const REPLY: unique symbol = Symbol.for('capix.reply') as never;

/** How `reply` answers besides the data. */
export interface ReplyOptions {
  /** 200 to 599. @default 200 */
  readonly status?: number | undefined;
  /** Names in any case. A `content-type` sends text or bytes as they are, without the envelope. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/**
 * A handler's value with the status and headers of its HTTP answer; other transports, `invoke` and `resolve` give its data. It is the
 * whole answer: one that stands inside another value does not compile.
 */
export interface Reply<out T = unknown> {
  readonly [REPLY]: true;
  /** What callers get. */
  readonly data: T;
  /** Status of the HTTP answer. */
  readonly status: number;
  /** Headers of the HTTP answer, as given. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** What a caller gets of a handler's value: the data of a reply, anything else as it is. */
export type Unreply<Value> = Value extends Reply<infer T> ? T : Value;

/**
 * Answers with `data` under another status or with more headers. A reply to a reply, as an enhancer may make it, keeps what it does
 * not replace.
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
export function reply<T>(data: T, options: ReplyOptions = {}): Reply<Unreply<T>> {
  const inner = isReply(data) ? data : undefined;
  const { status = inner?.status ?? 200, headers = {} } = options;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`reply: the status must be an integer from 200 to 599, got ${String(status)}.`);
  return {
    [REPLY]: true,
    data: toReplyData(data) as Unreply<T>,
    status,
    headers: inner === undefined ? headers : { ...inner.headers, ...headers },
  };
}

/** Whether `value` was made by `reply`, of this copy of the package or another. */
export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && REPLY in value;
}

/** What a caller gets of a handler's value: the data of a reply, anything else as it is. */
export function toReplyData(value: unknown): unknown {
  return isReply(value) ? value.data : value;
}
