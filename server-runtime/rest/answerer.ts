import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import { type Failure, toFailure } from '../errors/failure.ts';
import { type Envelope, toAnswered, toFailureBody } from '../http/envelope.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { toDataText, toJsonText } from '../http/to-json-text.ts';
import type { Application } from '../server/application.ts';
import { allowHeaders, type CorsSettings } from './cors-settings.ts';
import type { RestRequest } from './rest-request.ts';
import {
  type AnswerContent,
  type HandlerContent,
  isPlainData,
  JSON_TYPE,
  originOf,
  type Phase,
  type Sender,
  toHandlerContent,
} from './sender.ts';
import { createStreamingSender } from './streaming-sender.ts';

/** Something besides the capabilities that is served at a path of its own, to GET. */
export interface Page {
  /** @default 200 */
  readonly status?: number;
  readonly headers: RawHeaders;
  readonly body: string;
}

/** Answers requests. Each function ends one, and none throws. */
export interface Answerer {
  /** 200 with the handler's value in the envelope, or what the handler asked for. */
  readonly succeed: (request: RestRequest, value: unknown) => void;
  /** The failure in the envelope. `headers` come besides those of every answer. */
  readonly refuse: (request: RestRequest, failure: Failure, headers?: RawHeaders) => void;
  /** A page that is ready to be sent. */
  readonly serve: (request: RestRequest, page: Page) => void;
  /** 204, to OPTIONS. */
  readonly preflight: (request: RestRequest, allow: readonly string[] | undefined) => void;
  /** Ends the async iterables that are being sent. */
  readonly endEvents: () => void;
}

export interface AnswererOptions {
  readonly app: Application;
  readonly sender: Sender;
  readonly cors: CorsSettings;
  /** The JSON around data and refusals. */
  readonly envelope: Envelope;
  /** The text of data, and of each item of a stream. @default JSON */
  readonly toText?: ((value: unknown, key?: string) => string) | undefined;
  /** Whether calls by key are taken. */
  readonly takesCalls: boolean;
  /** The time that an event stream may be silent, milliseconds. */
  readonly heartbeatMs: number;
  readonly phase: () => Phase;
}

const none: RawHeaders = [];

type Data = Pick<Extract<HandlerContent, { kind: 'data' }>, 'status' | 'headers' | 'value'>;

export function createAnswerer(options: AnswererOptions): Answerer {
  const { app, sender, heartbeatMs, phase, envelope, toText = toDataText } = options;
  const { success } = envelope;
  const { head, tail, headers: failureHeaders } = toFrame(envelope);
  const frameBytes = Buffer.byteLength(head + tail);
  const { sendBytes, sendEvents, endEvents } = createStreamingSender({
    sender,
    heartbeatMs,
    phase,
    toText,
    toBody: (failure) => toFailureBody(envelope, failure),
  });

  const succeed: Answerer['succeed'] = (request, value) => {
    try {
      if (isPlainData(value)) sendData(request, { status: 200, headers: withCaching(request, JSON_TYPE), value });
      else sendContent(request, toAcceptedContent(request, toHandlerContent(value)));
    } catch (thrown) {
      refuse(request, toFailure(thrown));
    }
  };

  const refuse: Answerer['refuse'] = (request, reason, more = none) => {
    const failure = toAnswered(envelope, reason);
    sender.report(request, failure);
    const headers = withMore(failureHeaders, failure, more);
    void sender.send(request, { status: failure.status, headers, body: toErrorText(failure, envelope, app.logger) });
  };

  function send(request: RestRequest, answer: AnswerContent<string | Uint8Array | undefined>): void {
    const sent = sender.send(request, answer);
    if (sent !== undefined) orRefuse(request, sent);
  }

  /** The length is taken from the text inside: measuring the joined text would copy it once more. */
  function sendData(request: RestRequest, { status, headers, value }: Data): void {
    const json = toText(success === undefined ? value : success(value ?? null), request.capability);
    send(request, { status, headers, body: head + json + tail, byteLength: frameBytes + Buffer.byteLength(json) });
  }

  function sendContent(request: RestRequest, content: HandlerContent): void {
    const { status, headers } = content;
    switch (content.kind) {
      case 'data':
        return sendData(request, { ...content, headers: withCaching(request, withType(headers)) });
      case 'bytes':
        return send(request, { status, headers: withCaching(request, headers), body: content.bytes });
      case 'stream':
        return orRefuse(request, sendBytes(request, { ...content, headers: withCaching(request, headers) }));
      case 'events':
        return orRefuse(request, sendEvents(request, content));
    }
  }

  function orRefuse(request: RestRequest, sent: Promise<void>): void {
    void sent.catch((thrown: unknown) => refuse(request, toFailure(thrown)));
  }

  return {
    succeed,
    refuse,
    preflight: createPreflight(options),
    serve: (request, { status = 200, headers, body }) => send(request, { status, headers, body }),
    endEvents,
  };
}

/**
 * A browser shows a page nothing of a redirect that it does not follow. For clients that ask for `text/uri-list`, a
 * redirect is that list: a comment with its status, and its URL.
 */
function toAcceptedContent({ headers: asked }: RestRequest, content: HandlerContent): HandlerContent {
  const { status, headers } = content;
  const at = status >= 300 && status < 400 ? headers.indexOf('location') : -1;
  const isList = String(asked['accept']).includes('text/uri-list');
  if (at === -1 || !isList) return content;
  const others = headers.filter((_, index) => index !== at && index !== at + 1);
  const listed = [...others, 'content-type', 'text/uri-list', 'vary', 'accept'];
  return { kind: 'bytes', status: 200, headers: listed, bytes: `#${status}\r\n${headers[at + 1] ?? ''}\r\n` };
}

/** The very headers that are given where there are no more. */
function withMore(headers: RawHeaders, { retryAfterSeconds }: Failure, more: RawHeaders): RawHeaders {
  if (retryAfterSeconds !== undefined) return [...headers, 'retry-after', String(retryAfterSeconds), ...more];
  return more.length === 0 ? headers : [...headers, ...more];
}

function withType(headers: RawHeaders): RawHeaders {
  return headers.includes('content-type') ? headers : [...JSON_TYPE, ...headers];
}

/** The `Cache-Control` that is declared, unless the handler has said another one. */
function withCaching({ cacheControl }: RestRequest, headers: RawHeaders): RawHeaders {
  if (cacheControl === undefined || headers.includes('cache-control')) return headers;
  return [...headers, 'cache-control', cacheControl];
}

function createPreflight({ app, cors, sender, takesCalls }: AnswererOptions): Answerer['preflight'] {
  const sent = app.registry.operations.flatMap(({ definition }) => definition.request.sent);
  const { operations } = app.registry;
  // `retry` of `capix/client` sends a key with every call.
  const isKeyed = takesCalls || operations.some((each) => findKeyRule(each) !== undefined);
  const hasStreams = operations.some(({ definition: { answers } }) => answers.some(({ kind }) => kind === 'stream'));
  const declared = sent.flatMap(({ in: place, name }) => (place === 'header' ? [name] : []));
  // The rest of a stream that broke off is asked for by this header.
  const ofStreams = hasStreams ? ['Last-Event-ID'] : [];
  const names = [...new Set([...declared, ...(isKeyed ? [KEY_HEADER] : []), ...ofStreams])];
  return (request, allow) => {
    const headers = allowHeaders(cors.preflightHeadersFor(originOf(request)), names);
    const all = allow === undefined ? headers : [...headers, 'allow', allow.join(', ')];
    void sender.send(request, { status: 204, headers: all, body: undefined });
  };
}

/** The text around data, and the type of refusals, worked out once. */
function toFrame({ success, dataPath: [dataField], failureType }: Envelope): {
  head: string;
  tail: string;
  headers: RawHeaders;
} {
  const type = failureType === 'application/json' ? JSON_TYPE : ['content-type', failureType];
  return success !== undefined || dataField === undefined
    ? { head: '', tail: '', headers: type }
    : { head: `{${JSON.stringify(dataField)}:`, tail: '}', headers: type };
}

/** `meta` comes from the application, and may hold what JSON cannot; so may what an envelope makes of it. */
function toErrorText(failure: Failure, envelope: Envelope, logger: Application['logger']): string {
  const { name, message } = failure;
  try {
    return toJsonText(toFailureBody(envelope, failure)) ?? 'null';
  } catch (error) {
    logger.error(`[capix] The meta of ${name} cannot be written as JSON; it was left out.`, { error });
    return JSON.stringify({ error: name, message });
  }
}
