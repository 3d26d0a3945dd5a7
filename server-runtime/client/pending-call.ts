import { ApiError, type ErrorFacts } from './call.ts';
import type { CallResult } from './read-response.ts';
import type { ConnectionEnd, ServerMessage, SocketConnection } from './socket-connection.ts';

/** Thrown where a connection was lost, or could not be made, before a call had its answer. */
export class ConnectionLost extends Error {
  /** `ConnectionLost`. */
  override readonly name = 'ConnectionLost';
  /** Whether the call was sent, so that the server may have run it: repeat it only if that does no harm. */
  readonly mayHaveRun: boolean;

  constructor(message: string, mayHaveRun = false) {
    super(message);
    this.mayHaveRun = mayHaveRun;
  }
}

interface PendingParts {
  readonly id: number;
  readonly method: string;
  /** JSON. */
  readonly params: string;
  readonly headers: Headers;
  /** The most items that are here and not used. */
  readonly maxItems: number;
  /** How often in a row its connection may be lost before it fails. */
  readonly maxLosses: number;
  /** Whether it may run twice. */
  readonly isRepeatable: boolean;
  readonly revive: (value: unknown, place: number | string) => unknown;
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
  /** Called where its caller leaves while it waits for a connection. */
  readonly onLeave: (call: PendingCall) => void;
  /** Called where it has to be sent once more: its server goes away. */
  readonly onMove: (call: PendingCall) => void;
}

/** The items that have arrived, and the state of their reader. */
interface Stream {
  readonly items: unknown[];
  readonly status: number;
  /** The number of items that were read since the client last reported to the server how much room it has. */
  used: number;
  /** Set at its end; `error` where it has failed. */
  end: { readonly error?: unknown } | undefined;
  wake: () => void;
}

/** A call over a connection, from the queue to its answer or the end of its stream. It ends once. */
export class PendingCall {
  readonly id: number;
  isOver = false;
  /** The connection that it was sent over; undefined while it waits for one. */
  #connection: SocketConnection | undefined;
  readonly #parts: PendingParts;
  #stream: Stream | undefined;
  #lastEventId: string | undefined;
  #losses = 0;
  #isRepeatable: boolean;
  /** Whether a connection over which it was sent was lost without a word about it. */
  #mayHaveRun = false;
  #unwatch = (): void => {};

  constructor(parts: PendingParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#isRepeatable = parts.isRepeatable;
  }

  /** Ends the call when the signal fires. */
  watch(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const leave = (): void => {
      this.#leave();
      this.fail(signal.reason);
    };
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave);
    this.#unwatch = () => signal.removeEventListener('abort', leave);
  }

  sendOver(connection: SocketConnection): void {
    this.#connection = connection;
    connection.sendText(this.#toText());
  }

  #toText(): string {
    const { id, method, params, headers, maxItems } = this.#parts;
    const own = Object.fromEntries(headers);
    if (this.#lastEventId !== undefined) own['last-event-id'] = this.#lastEventId;
    const facts = JSON.stringify({ id, method, window: maxItems, headers: own });
    return `{"jsonrpc":"2.0","params":${params},${facts.slice(1)}`;
  }

  /** Takes an item, or the word that there will be some. */
  takeItem({ method, params = {} }: ServerMessage): void {
    const stream = this.#openStream(params.status);
    if (params.repeats === true) this.#isRepeatable = true;
    if (method !== '$/item') return;
    this.#losses = 0;
    // It would give its items twice. It may go on behind one that has an id.
    this.#isRepeatable = false;
    this.#lastEventId = params.eventId ?? this.#lastEventId;
    stream.items.push(this.#parts.revive(params.data, stream.status));
    stream.wake();
  }

  takeAnswer(message: ServerMessage): void {
    const { error, result, status = 200 } = message;
    const { revive, resolve } = this.#parts;
    this.#connection = undefined;
    if (error?.data?.moves === true) return this.#parts.onMove(this);
    if (error !== undefined) return this.fail(toApiError(message, revive));
    if (this.#stream === undefined)
      resolve({ ok: true, data: revive(result, status), status, headers: new Headers() });
    this.#end({});
  }

  /** Whether it has to be sent once more because its connection was lost; else it has failed. */
  lose(end: ConnectionEnd): boolean {
    this.#connection = undefined;
    // A server that closes in order has run no call without answering it.
    const isUnrun = this.#stream === undefined && (end.code === 1001 || end.code === 1012);
    if (!isUnrun) this.#mayHaveRun = true;
    const mayMove = isUnrun || this.#isRepeatable || this.#lastEventId !== undefined;
    this.#losses++;
    if (mayMove && this.#losses <= this.#parts.maxLosses) return true;
    const before = this.#stream === undefined ? 'answer' : 'end of the stream';
    this.giveUp(`The connection was lost before the ${before}: ${toReason(end)}`);
    return false;
  }

  giveUp(why: string): void {
    this.fail(new ConnectionLost(why, this.#mayHaveRun));
  }

  /** The server refuses the caller. */
  refuse({ code, reason }: ConnectionEnd): void {
    const [name = '', ...words] = reason.split(': ');
    const about = { status: code - 4000, meta: undefined };
    this.fail(new ApiError(words.length > 0 ? name : 'Refused', words.join(': ') || reason, about));
  }

  /** Ends it with an error: an answer of the API is a result, anything else is thrown. */
  fail(error: unknown): void {
    if (this.isOver) return;
    const { resolve, reject } = this.#parts;
    if (this.#stream === undefined) {
      if (error instanceof ApiError) resolve({ ok: false, status: error.status, error });
      else reject(error);
    }
    this.#end({ error });
  }

  #end(end: Stream['end']): void {
    this.isOver = true;
    this.#unwatch();
    if (this.#stream === undefined) return;
    this.#stream.end ??= end;
    this.#stream.wake();
  }

  #leave(): void {
    if (this.isOver) return;
    if (this.#connection === undefined) this.#parts.onLeave(this);
    else this.#connection.cancel(this);
  }

  #openStream(status = 200): Stream {
    if (this.#stream !== undefined) return this.#stream;
    const stream: Stream = { items: [], status, used: 0, end: undefined, wake: () => {} };
    this.#stream = stream;
    const data = this.#readItems(stream);
    this.#parts.resolve({ ok: true, data, status, headers: new Headers() });
    return stream;
  }

  /** The items until the end of the stream, which is left when its reader leaves. */
  async *#readItems(stream: Stream): AsyncGenerator<unknown> {
    try {
      for (;;) {
        if (stream.items.length > 0) {
          this.#makeRoom(stream);
          yield stream.items.shift();
        } else if (stream.end === undefined) {
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        } else if ('error' in stream.end) throw stream.end.error;
        else return;
      }
    } finally {
      this.#leave();
      this.#end({});
    }
  }

  /** Asks for as many items as were used, half of those that have room here at a time. */
  #makeRoom(stream: Stream): void {
    stream.used++;
    if (stream.used < this.#parts.maxItems / 2) return;
    const params = { id: this.id, count: stream.used };
    stream.used = 0;
    this.#connection?.sendText(JSON.stringify({ jsonrpc: '2.0', method: '$/more', params }));
  }
}

/** Why a connection has ended, for an error. */
export function toReason({ code, reason }: ConnectionEnd): string {
  return reason === '' ? `it was closed with ${code}` : reason;
}

function toApiError({ error }: ServerMessage, revive: PendingParts['revive']): ApiError {
  const { message = '', data = {} } = error ?? {};
  const { error: name = 'Unknown', status = 500, meta } = data;
  const facts = meta === undefined ? undefined : (revive(meta, name) as ErrorFacts);
  return new ApiError(name, message, { status, meta: facts });
}
