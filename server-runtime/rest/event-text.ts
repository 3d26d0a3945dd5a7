import { type Failure, toFailure } from '../errors/failure.ts';
import type { RawHeaders } from './exchange.ts';

/** How the items of an async iterable are written. */
export interface EventFormat {
  readonly headers: RawHeaders;
  readonly item: (value: unknown) => string;
  /** Says that the connection lives. Clients pass it over. */
  readonly beat: string;
  /** The last text, when the iterable fails after its first item. */
  readonly failed: (failure: Failure) => string;
}

/** Server-sent events where the caller accepts them, else a line of JSON an item. */
export function toEventFormat(accept: string | undefined): EventFormat {
  return accept?.toLowerCase().includes('text/event-stream') === true ? serverSentEvents : jsonLines;
}

const serverSentEvents: EventFormat = {
  headers: ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache', 'x-accel-buffering', 'no'],
  item: (value) => `data: ${toJson(value)}\n\n`,
  beat: ':\n\n',
  failed: ({ name, message, meta }) => `event: error\ndata: ${toJson({ error: name, message, meta })}\n\n`,
};

const jsonLines: EventFormat = {
  headers: [
    'content-type',
    'application/x-ndjson; charset=utf-8',
    'cache-control',
    'no-cache',
    'x-accel-buffering',
    'no',
  ],
  item: (value) => `${toJson(value)}\n`,
  beat: '\n',
  failed: ({ name, message, meta }) => `${toJson({ error: name, message, meta })}\n`,
};

export interface EventSource {
  readonly iterator: AsyncIterator<unknown>;
  /** The first item, which is waited for already. */
  readonly first: Promise<IteratorResult<unknown>>;
  readonly format: EventFormat;
  /** How long nothing may be written, milliseconds. */
  readonly heartbeatMs: number;
  /** Ends the writing; fires when the caller leaves. */
  readonly signal: AbortSignal;
  /** Told what the iterable threw. */
  readonly onFailure: (failure: Failure) => void;
}

/** The text of the items, one chunk each, with a beat in every pause. Asks for an item only when the one before was taken. */
export async function* toEventText(source: EventSource): AsyncGenerator<string> {
  const { iterator, signal } = source;
  let next = source.first;
  let isOver = false;
  try {
    while (!isOver && !signal.aborted) {
      const step = await toStep(next, source);
      isOver = step.isLast;
      if (step.text !== '') yield step.text;
      if (step.isItem && !isOver) {
        next = iterator.next();
        next.catch(() => {});
      }
    }
  } finally {
    // Not waited for: an iterable may be waiting for something that never comes.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

interface Step {
  readonly text: string;
  readonly isItem: boolean;
  readonly isLast: boolean;
}

async function toStep(
  next: Promise<IteratorResult<unknown>>,
  { format, heartbeatMs, signal, onFailure }: EventSource,
): Promise<Step> {
  try {
    const result = await within(next, heartbeatMs, signal);
    if (result === undefined) return { text: signal.aborted ? '' : format.beat, isItem: false, isLast: false };
    if (result.done === true) return { text: '', isItem: false, isLast: true };
    return { text: format.item(result.value), isItem: true, isLast: false };
  } catch (thrown) {
    const failure = toFailure(thrown);
    onFailure(failure);
    return { text: format.failed(failure), isItem: false, isLast: true };
  }
}

/** The value of the promise, or undefined when `timeoutMs` are over or the signal fires before it has one. */
export async function within<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const leave = (): void => resolve(undefined);
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

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
