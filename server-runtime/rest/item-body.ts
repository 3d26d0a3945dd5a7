import { Readable } from 'node:stream';
import { isSse, type SseOptions } from '../capability/reply.ts';
import { isError } from '../errors/failure.ts';
import { prefersEvents } from '../http/accept.ts';
import type { RawHeaders } from '../http/exchange.ts';
import type { ItemSource } from '../resources/item-source.ts';

interface ItemFormat {
  readonly headers: RawHeaders;
  readonly item: (value: unknown) => string | Uint8Array;
  /** Says that the connection lives, which clients pass over; undefined for bytes. */
  readonly beat?: string;
  /** The last text, when the source fails after its first item; bytes break off. */
  readonly failed?: (thrown: unknown) => string;
}

interface ItemTexts {
  readonly toText: (value: unknown) => string;
  /** The body that says why a stream ends early. Never throws. */
  readonly toFault: (thrown: unknown) => string;
}

/** Server-sent events or a line of JSON an item: as the type says that the handler has named, else as the caller likes. */
export function toEventFormat(
  ownType: string | undefined,
  accept: string | undefined,
  { toText, toFault }: ItemTexts,
): ItemFormat {
  const isEvents =
    ownType === undefined ? prefersEvents(accept) : /^text\/event-stream\b/i.test(ownType);
  const type = isEvents ? 'text/event-stream' : 'application/x-ndjson';
  const toDatum = (value: unknown): string => toText(isSse(value) ? value.data : value);
  return {
    headers: [
      'content-type',
      `${type}; charset=utf-8`,
      'cache-control',
      'no-cache',
      'x-accel-buffering',
      'no',
      ...(ownType === undefined ? ['vary', 'Accept'] : []),
    ],
    item: (value) =>
      isEvents
        ? `${isSse(value) ? toFields(value) : ''}data: ${toDatum(value)}\n\n`
        : `${toDatum(value)}\n`,
    beat: isEvents ? ':\n\n' : '\n',
    failed: (thrown) => {
      const text = toFault(thrown);
      return isEvents ? `event: error\ndata: ${text}\n\n` : `${text}\n`;
    },
  };
}

function toFields({ event, id, retryMs }: SseOptions): string {
  const fields = Object.entries({ event, id, retry: retryMs });
  return fields.map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\n`)).join('');
}

export const bytesFormat: ItemFormat = {
  headers: [],
  item: (chunk) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
    throw new TypeError(
      `The stream of the handler has an item that is neither bytes nor text: ${typeof chunk}`,
    );
  },
};

/** The time that the head waits for the first item, milliseconds: an error there has its own status. */
const START_MS = 500;

/**
 * Gives the items as the body of a response, with a beat in every pause, once there is the first of them or that takes
 * long; undefined where the signal fires before, which ends the body. Rejects with what comes in place of the first.
 * Asks for an item when the one before was taken. The end of the source is not waited for: it may never come.
 */
export function openItemBody(
  items: ItemSource,
  { item, beat, failed }: ItemFormat,
  {
    heartbeatMs,
    signal,
    onEnd,
  }: Readonly<{ heartbeatMs: number; signal: AbortSignal; onEnd: () => void }>,
): Promise<Readable | undefined> {
  return new Promise((resolve, reject) => {
    let isStarted = false;
    let isAsking = false;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (chunk?: string | Uint8Array | null): void => {
      if (isOver) return;
      isStarted = true;
      isOver = chunk === null;
      resolve(body);
      clearTimeout(timer);
      if (!isOver && beat !== undefined) timer = setTimeout(write, heartbeatMs, beat);
      if (chunk !== undefined) body.push(chunk);
    };
    const fail = (thrown: unknown): void => {
      if (isOver) return;
      if (!isStarted) {
        body.destroy();
        if (signal.aborted) resolve(undefined);
        else reject(thrown as Error);
      } else if (failed !== undefined) {
        write(failed(thrown));
        write(null);
      } else if (!signal.aborted)
        body.destroy(isError(thrown) ? thrown : new Error(String(thrown)));
    };
    const ask = async (): Promise<void> => {
      isAsking = true;
      try {
        const { done, value } = await items.next();
        isAsking = false;
        write(done === true ? null : item(value));
      } catch (thrown) {
        try {
          fail(thrown);
        } catch (fault) {
          // Nobody waits for `ask`: what it rejects with would end the process.
          body.destroy(fault as Error);
        }
      }
    };
    const stop = (): void => fail(signal.reason);
    const body = new Readable({
      highWaterMark: 1,
      read: () => void (isAsking || ask()),
      destroy: (error, done) => {
        isOver = true;
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        onEnd();
        void items.end();
        done(error);
      },
    });
    timer = setTimeout(write, START_MS);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else body.read(0);
  });
}
