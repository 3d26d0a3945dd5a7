import { Readable } from 'node:stream';
import { defaultErrors } from '../errors/default-errors.ts';
import type { Failure } from '../errors/failure.ts';
import { discardValue } from '../execution/execute.ts';
import { within } from '../http/within.ts';
import { toIterableSource } from '../resources/item-source.ts';
import type { RestRequest } from './rest-request.ts';
import type { HandlerContent, Phase, Sender } from './sender.ts';
import { toEventFormat, writeEvents } from './write-events.ts';

/** Sends answers that take their time. Before the head is sent, each rejects with what takes the place of its start. */
export interface StreamingSender {
  readonly sendBytes: (request: RestRequest, content: ContentOf<'stream'>) => Promise<void>;
  /** The items of an async iterable, which may have no end. */
  readonly sendEvents: (request: RestRequest, content: ContentOf<'events'>) => Promise<void>;
  /** Ends the iterables under way: signals fire, and the last item says that the server stops. */
  readonly endEvents: () => void;
}

type ContentOf<Kind> = Extract<HandlerContent, { readonly kind: Kind }>;

export interface StreamingSenderOptions {
  readonly sender: Sender;
  /** The time that an event stream may be silent, milliseconds. */
  readonly heartbeatMs: number;
  readonly phase: () => Phase;
  /** The text of an item. */
  readonly toText: (value: unknown) => string;
  /** The JSON of a failure that comes after the first item. */
  readonly toBody: (failure: Failure) => unknown;
}

/** The time that the head waits for the first item, milliseconds: an error there has its own status. */
const START_MS = 500;

export function createStreamingSender({
  sender,
  heartbeatMs,
  phase,
  toText,
  toBody,
}: StreamingSenderOptions): StreamingSender {
  const underWay = new Set<RestRequest>();

  const sendBytes: StreamingSender['sendBytes'] = async (request, { stream, ...content }) => {
    const answer = { ...content, body: stream };
    if (request.method === 'HEAD') return sender.sendStream(request, answer);
    request.watchLeave();
    await start(startStream(stream), request.signal);
    if (request.signal.aborted) stream.destroy();
    else sender.sendStream(request, answer);
  };

  const sendEvents: StreamingSender['sendEvents'] = async (request, { items: iterable, ...content }) => {
    const format = toEventFormat(request.headers['accept'] as string | undefined, toText);
    const answer = { status: content.status, headers: [...format.headers, ...content.headers] };
    // Whoever made the items may hold something until they end.
    if (request.method === 'HEAD' || phase() === 'draining') discardValue(iterable);
    if (request.method === 'HEAD') return sender.sendStream(request, { ...answer, body: Readable.from([]) });
    if (phase() === 'draining') throw defaultErrors.ServiceUnavailable();

    const items = toIterableSource(iterable);
    // The end of the iterable is not waited for: it may be waiting for something that never comes.
    const end = (): void => {
      underWay.delete(request);
      void items.end();
    };
    request.watchLeave();
    underWay.add(request);
    const { signal } = request;
    const first = items.next();
    try {
      await start(first, signal);
      if (signal.aborted && phase() === 'draining') throw defaultErrors.ServiceUnavailable();
    } catch (thrown) {
      end();
      throw thrown;
    }
    if (signal.aborted) return end();
    const onFailure = (failure: Failure): void => sender.report(request, failure);
    const text = writeEvents({ items, first, format, heartbeatMs, signal, onFailure, toBody });
    sender.sendStream(request, { ...answer, body: Readable.from(text, { objectMode: false }).once('close', end) });
  };

  const endEvents = (): void => {
    for (const { scope } of underWay) scope?.abort(new DOMException('The server is stopping.', 'AbortError'));
  };

  return { sendBytes, sendEvents, endEvents };
}

/** Rejects with what comes in place of the start, unless nobody waits for it any more. */
async function start(started: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await within(started, START_MS, signal);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

/** Fulfils with the first bytes or the end of a stream, and rejects with what comes in their place. */
async function startStream(stream: Readable): Promise<void> {
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
