import { Readable } from 'node:stream';
import { isSse, type SseOptions } from '../capability/reply.ts';
import { isError } from '../errors/failure.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { toDataText } from '../http/to-json-text.ts';
import type { ItemSource } from '../resources/item-source.ts';

/** The format in which items are written. */
export interface ItemFormat {
  readonly headers: RawHeaders;
  readonly item: (value: unknown) => string | Uint8Array;
  /** Says that the connection lives, which clients pass over; undefined for bytes. */
  readonly beat: string | undefined;
  /** The last text, when the source fails after its first item; bytes break off. */
  readonly failed: ((body: unknown) => string) | undefined;
}

/** Server-sent events for who accepts them, else a line of JSON an item. `toText` writes an item. */
export function toEventFormat(accept: string | undefined, toText: (value: unknown) => string): ItemFormat {
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

export const bytesFormat: ItemFormat = {
  headers: [],
  item: (chunk) => chunk as string | Uint8Array,
  beat: undefined,
  failed: undefined,
};

/** @throws TypeError for an item that no body can have */
export function expectBytes(item: unknown): string | Uint8Array {
  if (typeof item === 'string' || item instanceof Uint8Array) return item;
  throw new TypeError(
    `The stream that the handler returned has an item that is neither bytes nor text: ${typeof item}`,
  );
}

/** The time that the head waits for the first item, milliseconds: an error there has its own status. */
const START_MS = 500;

/** Waits for the first item. Rejects with what comes in its place, unless nobody waits for it any more. */
export function limitStart(started: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, START_MS);
    signal.addEventListener('abort', () => resolve(), { once: true });
    started.then(
      () => resolve(),
      (thrown: unknown) => (signal.aborted ? resolve() : reject(thrown as Error)),
    );
    const stop = (): void => clearTimeout(timer);
    started.then(stop, stop);
  });
}

export interface ItemBody {
  readonly items: ItemSource;
  /** The first item, which is waited for already. */
  readonly first: Promise<IteratorResult<unknown>>;
  readonly format: ItemFormat;
  /** The time in which nothing may be written, milliseconds. */
  readonly heartbeatMs: number;
  /** Ends events; fires when the caller leaves and when the server stops. */
  readonly signal: AbortSignal;
  /** Gives the JSON of what the source threw; of undefined, that the server is stopping. */
  readonly toFault: (thrown: unknown) => unknown;
}

/**
 * The items as the body of a response, with a beat in every pause. Asks for one only when the one before was taken, and
 * ends the source however the body ends. The end of the source is not waited for, which may never come.
 */
export function createItemBody({ items, first, format, heartbeatMs, signal, toFault }: ItemBody): Readable {
  const { item, beat, failed } = format;
  let pending: Promise<void> | undefined;
  let next = (): Promise<IteratorResult<unknown>> => {
    next = items.next;
    return first;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const write = (chunk: string | Uint8Array): void => {
    if (isOver) return;
    clearTimeout(timer);
    if (beat !== undefined) timer = setTimeout(write, heartbeatMs, beat);
    body.push(chunk);
  };
  const end = (): void => {
    if (!isOver) body.push(null);
    isOver = true;
    clearTimeout(timer);
  };
  const fail = (thrown: unknown): void => {
    if (failed === undefined) body.destroy(isError(thrown) ? thrown : new Error(String(thrown)));
    else write(failed(toFault(thrown)));
    end();
  };
  const ask = async (): Promise<void> => {
    try {
      const { done, value } = await next();
      pending = undefined;
      if (done === true) end();
      else write(item(value));
    } catch (thrown) {
      if (!isOver) fail(thrown);
    }
  };
  const stop = (): void => fail(undefined);
  const body = new Readable({
    highWaterMark: 1,
    read() {
      pending ??= ask();
    },
    destroy(error, done) {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      void items.end();
      done(error);
    },
  });
  if (failed !== undefined) signal.addEventListener('abort', stop);
  if (beat !== undefined) timer = setTimeout(write, heartbeatMs, beat);
  return body;
}
