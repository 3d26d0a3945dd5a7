import { Readable } from 'node:stream';
import { type Failure, toFailure } from '../errors/failure.ts';
import type { Application } from '../server/transport.ts';
import type { Cors } from './cors.ts';
import { toEventFormat, toEventText, within } from './event-text.ts';
import type { RawHeaders } from './exchange.ts';
import { type HandlerContent, isBodiless, isPlainData, toHandlerContent } from './handler-content.ts';
import type { RestRequest } from './rest-request.ts';

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

export interface AnswererOptions {
  readonly app: Application;
  readonly cors: Cors;
  /** How long an event stream may be silent, milliseconds. */
  readonly heartbeatMs: number;
  /** Whether connections are to end with their answer. */
  readonly isDraining: () => boolean;
}

/** How long the head of an event stream waits for the first item, which may be an error with a status of its own. */
const FIRST_ITEM_MS = 500;
const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];
const none: RawHeaders = [];

export function toAnswerer({ app: { hooks, logger }, cors, heartbeatMs, isDraining }: AnswererOptions): Answerer {
  const { onResponse, onError } = hooks;

  const succeed = (request: RestRequest, value: unknown): void => {
    try {
      if (isPlainData(value)) send(request, 200, JSON_TYPE, toEnvelope(request, value));
      else sendContent(request, toHandlerContent(value));
    } catch (thrown) {
      refuse(request, toFailure(thrown));
    }
  };

  const refuse = (request: RestRequest, failure: Failure, more: RawHeaders = none): void => {
    report(request, failure);
    const retry = failure.retryAfterSeconds === undefined ? none : ['retry-after', String(failure.retryAfterSeconds)];
    send(request, failure.status, [...JSON_TYPE, ...retry, ...more], toErrorText(failure, logger));
  };

  const preflight = (request: RestRequest, allow: readonly string[] | undefined): void => {
    const headers = cors.preflightHeadersFor(originOf(request));
    send(request, 204, allow === undefined ? headers : [...headers, 'allow', allow.join(', ')], undefined);
  };

  function sendContent(request: RestRequest, content: HandlerContent): void {
    switch (content.kind) {
      case 'data':
        return send(
          request,
          content.status,
          content.headers.includes('content-type') ? content.headers : [...JSON_TYPE, ...content.headers],
          toEnvelope(request, content.value),
        );
      case 'bytes':
        return send(request, content.status, content.headers, content.bytes);
      case 'stream':
        return sendStream(request, content.status, content.headers, content.stream);
      case 'events':
        void sendEvents(request, content).catch((thrown: unknown) => refuse(request, toFailure(thrown)));
    }
  }

  async function sendEvents(
    request: RestRequest,
    { status, headers, items }: Extract<HandlerContent, { kind: 'events' }>,
  ): Promise<void> {
    const format = toEventFormat(request.headers['accept'] as string | undefined);
    if (request.method === 'HEAD')
      return sendStream(request, status, [...format.headers, ...headers], Readable.from([]));
    const iterator = items[Symbol.asyncIterator]();
    request.watchLeave();
    const { signal } = request;
    const first = iterator.next();
    first.catch(() => {});
    await within(first, FIRST_ITEM_MS, signal);
    const onFailure = (failure: Failure): void => report(request, failure);
    const text = toEventText({ iterator, first, format, heartbeatMs, signal, onFailure });
    sendStream(request, status, [...format.headers, ...headers], Readable.from(text, { objectMode: false }));
  }

  function send(
    request: RestRequest,
    status: number,
    headers: RawHeaders,
    body: string | Uint8Array | undefined,
  ): void {
    const length = isBodiless(status)
      ? none
      : [
          'content-length',
          String(body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength),
        ];
    if (isDraining()) request.exchange.endsConnection = true;
    request.exchange.send(status, [...headers, ...length, ...headersOf(request)], body);
    told(request, status);
  }

  function sendStream(request: RestRequest, status: number, headers: RawHeaders, stream: Readable): void {
    stream.on('error', (error) => {
      if (!request.signal.aborted)
        logger.error(`[capix] ${request.method} ${request.path} failed while its answer was being sent`, {
          requestId: request.requestId,
          error,
        });
    });
    request.watchLeave();
    if (isDraining()) request.exchange.endsConnection = true;
    try {
      request.exchange.sendStream(status, [...headers, ...headersOf(request)], stream);
    } catch (thrown) {
      stream.destroy();
      throw thrown;
    }
    told(request, status);
  }

  function headersOf(request: RestRequest): RawHeaders {
    return ['x-request-id', request.requestId, ...cors.headersFor(originOf(request))];
  }

  function report(request: RestRequest, failure: Failure): void {
    if (failure.unexpected === true) {
      logger.error(`[capix] ${request.method} ${request.path} failed`, {
        requestId: request.requestId,
        error: failure.cause,
      });
    }
    onError?.({ request, capability: request.capability, failure, error: failure.cause });
  }

  function told(request: RestRequest, status: number): void {
    onResponse?.({
      request,
      capability: request.capability,
      status,
      durationMs: performance.now() - request.startedAtMs,
    });
  }

  return { succeed, refuse, preflight, serve: (request, headers, body) => send(request, 200, headers, body) };
}

function originOf(request: RestRequest): string | undefined {
  return request.exchange.headers['origin'] as string | undefined;
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
