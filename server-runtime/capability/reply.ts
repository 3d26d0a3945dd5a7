const REPLY: unique symbol = Symbol.for('capix.reply') as never;

export interface ReplyOptions {
  /** 200 to 599. @default 200 */
  readonly status?: number;
  /** Names in any case. A `content-type` sends text or bytes as they are, without the envelope. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A handler's value with the status and headers of its HTTP answer; other transports use the value. */
export interface Reply {
  readonly [REPLY]: true;
  readonly data: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Answers with `data` under another status or with more headers: `return reply(user, {status: 201, headers: {location}})`.
 * Typed as its data, which is what callers get. A reply to a reply, as an enhancer may make it, keeps what it does not replace.
 *
 * @throws RangeError for a status that is no integer from 200 to 599
 */
export function reply<T>(data: T, options: ReplyOptions = {}): T {
  const inner = isReply(data) ? data : undefined;
  const { status = inner?.status ?? 200, headers = {} } = options;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`reply: the status must be an integer from 200 to 599, got ${String(status)}.`);
  const made: Reply = {
    [REPLY]: true,
    data: toReplyData(data),
    status,
    headers: inner === undefined ? headers : { ...inner.headers, ...headers },
  };
  return made as unknown as T;
}

/** Whether `value` was made by `reply`, of this copy of the package or another. */
export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && REPLY in value;
}

/** What a caller gets of a handler's value: the data of a reply, anything else as it is. */
export function toReplyData(value: unknown): unknown {
  return isReply(value) ? value.data : value;
}
