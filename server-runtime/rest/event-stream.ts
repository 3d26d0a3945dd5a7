import type { Readable } from 'node:stream';
import { isSse, type SseOptions } from '../capability/reply.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { toDataText } from '../http/to-json-text.ts';
import type { ItemSource } from '../resources/item-source.ts';

/** The format in which the items of an async iterable are written. */
export interface EventFormat {
  readonly headers: RawHeaders;
  readonly item: (value: unknown) => string;
  /** Says that the connection lives. Clients pass it over. */
  readonly beat: string;
  /** The last text, when the iterable fails after its first item. */
  readonly failed: (body: unknown) => string;
}

/** Server-sent events for who accepts them, else a line of JSON an item. `toText` writes an item. */
export function toEventFormat(accept: string | undefined, toText: (value: unknown) => string): EventFormat {
  const isEvents = accept?.toLowerCase().includes('text/event-stream') === true;
  const type = isEvents ? 'text/event-stream' : 'application/x-ndjson';
  const headers = ['content-type', `${type}; charset=utf-8`, 'cache-control', 'no-cache', 'x-accel-buffering', 'no'];
  const toDatum = (value: unknown): string => toText(isSse(value) ? value.data : value);
  return isEvents
    ? {
        headers,
        item: (value) => `${isSse(value) ? toFields(value) : ''}data: ${toDatum(value)}\n\n`,
        beat: ':\n\n',
        failed: (body) => `event: error\ndata: ${toDataText(body)}\n\n`,
      }
    : { headers, item: (value) => `${toDatum(value)}\n`, beat: '\n', failed: (body) => `${toDataText(body)}\n` };
}

function toFields({ event, id, retryMs }: SseOptions): string {
  const fields = Object.entries({ event, id, retry: retryMs });
  return fields.map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\n`)).join('');
}

export interface EventSource {
  readonly items: ItemSource;
  /** The first item, which is waited for already. */
  readonly first: Promise<IteratorResult<unknown>>;
  readonly format: EventFormat;
  /** The time in which nothing may be written, milliseconds. */
  readonly heartbeatMs: number;
  /** Ends the writing; fires when the caller leaves and when the server stops. */
  readonly signal: AbortSignal;
  /** Gives the JSON of what the iterable threw; of undefined, that the server is stopping. */
  readonly toFault: (thrown: unknown) => unknown;
}

/**
 * The text of the items, one chunk each, with a beat in every pause. Asks for an item only when the one before was
 * taken. Where the signal ends it, nobody reads any more or the server is stopping, and the last text says so.
 */
export async function* writeEvents(source: EventSource): AsyncGenerator<string> {
  const { items, format, signal } = source;
  let next = source.first;
  while (!signal.aborted) {
    let result: IteratorResult<unknown> | undefined;
    let text: string;
    let isFault = false;
    try {
      result = await within(next, source.heartbeatMs, signal);
      if (result?.done === true) return;
      text = result === undefined ? format.beat : format.item(result.value);
    } catch (thrown) {
      if (signal.aborted) break;
      text = format.failed(source.toFault(thrown));
      isFault = true;
    }
    if (signal.aborted && result === undefined) break;
    yield text;
    if (isFault) return;
    if (result === undefined) continue;
    next = items.next();
    next.catch(() => {});
  }
  yield format.failed(source.toFault(undefined));
}

/** The time that the head waits for the first item, milliseconds: an error there has its own status. */
const START_MS = 500;

/** Rejects with what comes in place of the start of a stream, unless nobody waits for it any more. */
export async function limitStart(started: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await within(started, START_MS, signal);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

/** Fulfils with the first bytes or the end of a stream, and rejects with what comes in their place. */
export async function waitForStart(stream: Readable): Promise<void> {
  // An error that nobody listens for ends the process.
  stream.on('error', () => {});
  if (stream.destroyed || stream.readableEnded)
    throw stream.errored ?? new TypeError('The handler returned a stream that was read or destroyed before.');
  if (stream.readableLength > 0) return;
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(stream.errored ?? new TypeError('The stream that the handler returned was destroyed.'));
    stream.once('close', fail).once('readable', () => {
      stream.off('close', fail);
      resolve();
    });
  });
}

/** The value of the promise, or undefined when `timeoutMs` are over or the signal fires before it has one. */
async function within<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    const leave = (): void => resolve(undefined);
    const timer = setTimeout(leave, timeoutMs);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    stop();
  }
}
