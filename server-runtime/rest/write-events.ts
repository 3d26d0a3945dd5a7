import { isSse, type SseOptions } from '../capability/reply.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, toFailure } from '../errors/failure.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { toDataText } from '../http/to-json-text.ts';
import { within } from '../http/within.ts';
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
export function toEventFormat(
  accept: string | undefined,
  toText: (value: unknown) => string = toDataText,
): EventFormat {
  const isEvents = accept?.toLowerCase().includes('text/event-stream') === true;
  const type = isEvents ? 'text/event-stream' : 'application/x-ndjson';
  const headers = ['content-type', `${type}; charset=utf-8`, 'cache-control', 'no-cache', 'x-accel-buffering', 'no'];
  if (!isEvents)
    return {
      headers,
      item: (value) => `${toText(isSse(value) ? value.data : value)}\n`,
      beat: '\n',
      failed: (body) => `${toDataText(body)}\n`,
    };
  return {
    headers,
    item: (value) =>
      isSse(value) ? `${toFields(value)}data: ${toText(value.data)}\n\n` : `data: ${toText(value)}\n\n`,
    beat: ':\n\n',
    failed: (body) => `event: error\ndata: ${toDataText(body)}\n\n`,
  };
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
  /** Told what the iterable threw. */
  readonly onFailure: (failure: Failure) => void;
  /** The JSON of a failure. */
  readonly toBody: (failure: Failure) => unknown;
}

/**
 * The text of the items, one chunk each, with a beat in every pause. Asks for an item only when the one before was
 * taken. Where the signal ends it, nobody reads any more or the server is stopping, and the last text says so.
 */
export async function* writeEvents(source: EventSource): AsyncGenerator<string> {
  const { items, format, signal, toBody } = source;
  let next = source.first;
  while (!signal.aborted) {
    const step = await askStep(next, source);
    if (step.text !== '') yield step.text;
    if (step.isLast) return;
    if (step.isItem) {
      next = items.next();
      next.catch(() => {});
    }
  }
  yield format.failed(toBody(failure(defaultErrors.ServiceUnavailable, 'The server is stopping')));
}

interface Step {
  readonly text: string;
  readonly isItem: boolean;
  readonly isLast: boolean;
}

async function askStep(
  next: Promise<IteratorResult<unknown>>,
  { format, heartbeatMs, signal, onFailure, toBody }: EventSource,
): Promise<Step> {
  try {
    const result = await within(next, heartbeatMs, signal);
    if (result === undefined) return { text: signal.aborted ? '' : format.beat, isItem: false, isLast: false };
    if (result.done === true) return { text: '', isItem: false, isLast: true };
    return { text: format.item(result.value), isItem: true, isLast: false };
  } catch (thrown) {
    if (signal.aborted) return { text: '', isItem: false, isLast: false };
    const reason = toFailure(thrown);
    onFailure(reason);
    return { text: format.failed(toBody(reason)), isItem: false, isLast: true };
  }
}

function toFields({ event, id, retryMs }: SseOptions): string {
  const fields = [
    ['event', event],
    ['id', id],
    ['retry', retryMs],
  ] as const;
  return fields.map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\n`)).join('');
}
