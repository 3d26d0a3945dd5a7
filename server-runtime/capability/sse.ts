import { expectInteger } from '../errors/expect-integer.ts';

const SSE: unique symbol = Symbol.for('capix.sse') as never;

/** The fields of a server-sent event besides the data of its item. */
export interface SseOptions {
  /** The type of the event, which `addEventListener` names in a browser. @default 'message' */
  readonly event?: string | undefined;
  /** The id that a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string | undefined;
  /** The time that a client waits before it connects again, milliseconds. @default the client's */
  readonly retryMs?: number | undefined;
}

/** An item of an async iterable with what server-sent events say besides its data. Elsewhere it is its data. */
export interface ServerSentEvent<T = unknown> extends SseOptions {
  readonly [SSE]: true;
  /** The item itself. */
  readonly data: T;
}

/**
 * An item with a name or an id, where an async iterable becomes server-sent events.
 *
 * @throws TypeError for an event or id of more than one line, RangeError for a `retryMs` that is not an integer of at
 * least 0
 *
 * @example
 * ```ts
 * export const watchOrders = capability(async function* () {
 *   const order = { id: '7', total: 9.5 };
 *   yield sse(order, { event: 'created', id: order.id });
 * }, 'query');
 * ```
 */
export function sse<T>(data: T, options: SseOptions = {}): ServerSentEvent<T> {
  const { event, id, retryMs } = options;
  expectLine('event', event);
  expectLine('id', id);
  if (retryMs !== undefined) expectInteger('sse retryMs', retryMs, { min: 0 });
  return { [SSE]: true, data, event, id, retryMs };
}

/** Whether `value` was made by `sse`, of this copy of the package or another. */
export function isSse(value: unknown): value is ServerSentEvent {
  return typeof value === 'object' && value !== null && SSE in value;
}

/** A line break would begin another field; clients pass over an id with a NUL. */
function expectLine(field: string, value: string | undefined): void {
  if (value === undefined || (typeof value === 'string' && !/[\r\n\0]/.test(value))) return;
  throw new TypeError(`sse ${field}: expected a text of one line, got ${JSON.stringify(value)}.`);
}
