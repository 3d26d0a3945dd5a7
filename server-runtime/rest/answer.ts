import { Readable } from 'node:stream';
import { type Failure, toFailure } from '../errors/failure.ts';
import type { Application } from '../server/transport.ts';
import type { Cors } from './cors.ts';
import { toEventFormat, toEventText, within } from './event-text.ts';
import type { RawHeaders } from './exchange.ts';
import { type HandlerContent, isPlainData, toHandlerContent } from './handler-content.ts';
import type { RestRequest } from './rest-request.ts';
import { originOf, type Sender, type SenderOptions, toSender } from './send-answer.ts';

/** Answers requests. Each function ends one, and none throws. */
export interface Answerer {
  /** 200 with the handler's value in the envelope, or what the handler asked for. */
  readonly succeed: (request: RestRequest, value: unknown) => void;
  /** The failure in the envelope. `headers` come besides those of every answer. */
  readonly refuse: (request: RestRequest, failure: Failure, headers?: RawHeaders) => void;
  /** Bytes that are ready to be sent, with status 200. */
  readonly serve: (request: RestRequest, headers: RawHeaders, body: string) => void;
  /** 204, to OPTIONS. */
  readonly preflight: (request: RestRequest, allow: readonly string[] | undefined) => void;
}

export interface AnswererOptions extends SenderOptions {
  readonly cors: Cors;
  /** How long an event stream may be silent, milliseconds. */
  readonly heartbeatMs: number;
}

/** How long the head of an event stream waits for the first item, which may be an error with a status of its own. */
const FIRST_ITEM_MS = 500;
const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];
const none: RawHeaders = [];

export function toAnswerer(options: AnswererOptions): Answerer {
  const { app, cors, heartbeatMs } = options;
  const sender = toSender(options);
  const { send, sendStream, report } = sender;

  const succeed: Answerer['succeed'] = (request, value) => {
    try {
      if (isPlainData(value)) send(request, { status: 200, headers: JSON_TYPE, body: toEnvelope(request, value) });
      else sendContent(request, toHandlerContent(value));
    } catch (thrown) {
      refuse(request, toFailure(thrown));
    }
  };

  const refuse: Answerer['refuse'] = (request, failure, more = none) => {
    report(request, failure);
    const retry = failure.retryAfterSeconds === undefined ? none : ['retry-after', String(failure.retryAfterSeconds)];
    const headers = [...JSON_TYPE, ...retry, ...more];
    send(request, { status: failure.status, headers, body: toErrorText(failure, app.logger) });
  };

  const preflight: Answerer['preflight'] = (request, allow) => {
    const headers = cors.preflightHeadersFor(originOf(request));
    const all = allow === undefined ? headers : [...headers, 'allow', allow.join(', ')];
    send(request, { status: 204, headers: all, body: undefined });
  };

  function sendContent(request: RestRequest, content: HandlerContent): void {
    const { status, headers } = content;
    switch (content.kind) {
      case 'data': {
        const all = headers.includes('content-type') ? headers : [...JSON_TYPE, ...headers];
        return send(request, { status, headers: all, body: toEnvelope(request, content.value) });
      }
      case 'bytes':
        return send(request, { status, headers, body: content.bytes });
      case 'stream':
        return sendStream(request, { status, headers, body: content.stream });
      case 'events': {
        const sent = sendEvents(request, content, { sender, heartbeatMs });
        void sent.catch((thrown: unknown) => refuse(request, toFailure(thrown)));
      }
    }
  }

  return {
    succeed,
    refuse,
    preflight,
    serve: (request, headers, body) => send(request, { status: 200, headers, body }),
  };
}

/** Rejects, before anything is sent, with what the first item throws. */
async function sendEvents(
  request: RestRequest,
  { status, headers, items }: Extract<HandlerContent, { kind: 'events' }>,
  { sender, heartbeatMs }: { readonly sender: Sender; readonly heartbeatMs: number },
): Promise<void> {
  const format = toEventFormat(request.headers['accept'] as string | undefined);
  const send = (body: Readable): void =>
    sender.sendStream(request, { status, headers: [...format.headers, ...headers], body });
  if (request.method === 'HEAD') return send(Readable.from([]));
  const iterator = items[Symbol.asyncIterator]();
  request.watchLeave();
  const { signal } = request;
  const first = iterator.next();
  first.catch(() => {});
  await within(first, FIRST_ITEM_MS, signal);
  const onFailure = (failure: Failure): void => sender.report(request, failure);
  const text = toEventText({ iterator, first, format, heartbeatMs, signal, onFailure });
  send(Readable.from(text, { objectMode: false }));
}

/** @throws TypeError for what JSON cannot hold */
function toEnvelope(request: RestRequest, value: unknown): string {
  try {
    return `{"data":${JSON.stringify(value) ?? 'null'}}`;
  } catch (error) {
    throw new TypeError(`${request.capability ?? 'The handler'} returned a value that cannot be written as JSON.`, {
      cause: error,
    });
  }
}

/** `meta` comes from the application, and may hold what JSON cannot. */
function toErrorText({ name, message, meta }: Failure, logger: Application['logger']): string {
  try {
    return JSON.stringify({ error: name, message, meta });
  } catch (error) {
    logger.error(`[capix] The meta of ${name} cannot be written as JSON; it was left out.`, { error });
    return JSON.stringify({ error: name, message });
  }
}
