import { Readable } from 'node:stream';
import { isSse, type SseOptions, toTextOfItem } from '../capability/reply.ts';
import { isError } from '../errors/failure.ts';
import { prefersEvents } from '../http/accept.ts';
import type { ItemFormat } from '../http/http-door.ts';
import type { ItemSource } from '../resources/item-source.ts';
import { type Pump, type Sink, startPump } from '../resources/pump.ts';
import type { EventReading } from './ended-streams.ts';

interface ItemTexts {
  readonly toText: (value: unknown) => string;
  /** The text that explains why a stream ends early. Never throws. */
  readonly toFault: (thrown: unknown) => string;
}

/**
 * Server-sent events, or one line of JSON per item: by the handler's own content type, else by the caller's `Accept`.
 */
export function toEventFormat(
  ownType: string | undefined,
  accept: string | undefined,
  { toText, toFault }: ItemTexts,
): ItemFormat {
  const isEvents =
    ownType === undefined ? prefersEvents(accept) : /^text\/event-stream\b/i.test(ownType);
  const type = isEvents ? 'text/event-stream' : 'application/x-ndjson';
  const toDatum = (value: unknown): string => toTextOfItem(value, toText);
  return {
    isEvents,
    headers: [
      'content-type',
      `${type}; charset=utf-8`,
      'cache-control',
      // A proxy that compresses holds back the end of an item.
      'no-cache, no-transform',
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
  isEvents: false,
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

export interface ItemBodyOptions {
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
  /** Called once, when the body is over. */
  readonly onEnd: () => void;
  /** The stream of events that the caller has, or goes on with. */
  readonly reading: EventReading | undefined;
  /** The text before the first item. */
  readonly opening: string | undefined;
}

/** By a time to wait that comes alone, `capix/client` learns that it may request the stream again. */
export const REPEATABLE = 'retry: 1000\n\n';

/** Nothing is left of a stream whose caller has its last event. */
export const NOTHING_LEFT = Symbol('nothing left');

/**
 * Makes the body of a response of the items, with a heartbeat in every pause. Fulfils once the first item is there, or
 * takes long; with undefined where the signal fires before that, which ends the body. Rejects with the error that comes
 * in place of the first item, and fulfils with `NOTHING_LEFT` where the caller has all items. Reads an item when the
 * one before was taken.
 */
export function openItemBody(
  items: ItemSource,
  format: ItemFormat,
  { heartbeatMs, signal, onEnd, reading, opening: head }: ItemBodyOptions,
): Promise<Readable | typeof NOTHING_LEFT | undefined> {
  return new Promise((resolve, reject) => {
    let isStarted = false;
    // It may fail before it is known here, and has ended the source by itself then.
    let pump: Pump = { leave: () => {} };
    /** Goes on with the pump, which waits while an item lies in the body. */
    let goOn: (() => void) | undefined;
    const start = (): void => {
      if (isStarted) return;
      isStarted = true;
      clearTimeout(opening);
      resolve(body);
    };
    const opening = setTimeout(start, START_MS);

    const body = new Readable({
      highWaterMark: 1,
      read: () => {
        const next = goOn;
        goOn = undefined;
        next?.();
      },
      destroy: (error, done) => {
        clearTimeout(opening);
        pump.leave();
        onEnd();
        done(error);
      },
    });

    if (head !== undefined) body.push(head);

    const fail = (thrown: unknown): void => {
      if (!isStarted) {
        body.destroy();
        if (signal.aborted) resolve(undefined);
        else reject(thrown as Error);
      } else if (format.failed !== undefined) {
        body.push(format.failed(thrown));
        body.push(null);
      } else body.destroy(signal.aborted ? undefined : toFault(thrown));
    };

    const close = (): undefined => {
      body.destroy();
      resolve(NOTHING_LEFT);
    };

    const sink: Sink = {
      write: (value) => {
        if (reading?.startsOver(value) === true) return close();
        body.push(format.item(value));
        start();
        // The reader of the body has taken the item in the same turn, unless its buffer is full.
        if (body.readableLength === 0) return undefined;
        return new Promise((taken) => {
          goOn = taken;
        });
      },
      end: () => {
        if (reading?.end() === true && !isStarted) return close();
        body.push(null);
        start();
      },
      fail: (thrown) => {
        try {
          fail(thrown);
        } catch (fault) {
          body.destroy(toFault(fault));
        }
      },
      // Before the head is sent, the first item may still be an error.
      beat: () => {
        if (isStarted && format.beat !== undefined) body.push(format.beat);
      },
    };
    pump = startPump(items, sink, { signal, beatMs: heartbeatMs });
  });
}

function toFault(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(String(thrown));
}
