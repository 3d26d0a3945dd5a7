import { Readable } from 'node:stream';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, isPromise, toFailure } from '../errors/failure.ts';
import { isPlainData } from '../execution/execute.ts';
import { type Envelope, toAnswered, toFailureBody } from '../http/envelope.ts';
import { isBodiless, isStream, type RawHeaders, type ResponseBody } from '../http/exchange.ts';
import { toDataText, toJsonText } from '../http/to-json-text.ts';
import { guarded, type ItemSource, isOfBytes } from '../resources/item-source.ts';
import type { Application } from '../server/create-application.ts';
import type { CorsSettings } from './cors-settings.ts';
import { findHeader, omitHeaders, toHandlerContent } from './handler-content.ts';
import { bytesFormat, createItemBody, expectBytes, limitStart, toEventFormat } from './item-body.ts';
import type { RestRequest } from './request-handler.ts';
import type { RestSettings } from './rest-options.ts';

/** A response that is ready, of status 200 unless it says another. */
export interface HttpResponse {
  readonly status?: number;
  /** Besides those of every response: length, request id, CORS. */
  readonly headers: RawHeaders;
  readonly body?: ResponseBody;
  /** The length of a text, where it is known. */
  readonly byteLength?: number;
}

/** Works on a response before it is sent. */
export type Prepare = (
  request: RestRequest,
  response: HttpResponse & { readonly status: number },
) => HttpResponse | Promise<HttpResponse>;

/** The text of data. `key` names the capability in errors. */
export type ToText = (value: unknown, key?: string) => string;

/** The life of a transport. While it drains, connections end with their response. */
export interface Life {
  phase: 'starting' | 'open' | 'draining';
}

/** The parts that answer the requests of a transport. */
export interface RestParts {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly life: Life;
}

export interface ResponderOptions extends RestParts {
  readonly cors: CorsSettings;
  readonly prepare: Prepare | undefined;
  /** Writes calls by key; undefined where none are taken. */
  readonly calls: { readonly envelope: Envelope; readonly toText: ToText } | undefined;
}

/** The JSON around data and failures, as far as it can be worked out once. */
interface Format {
  readonly envelope: Envelope;
  readonly toText: ToText;
  readonly isCall: boolean;
  /** The text around data, and its length, bytes. */
  readonly head: string;
  readonly tail: string;
  readonly frameBytes: number;
  readonly failureHeaders: RawHeaders;
}

const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];

/** Answers requests, and tells the hooks and the log of them. Each method ends one, and none throws. */
export class Responder {
  readonly #options: ResponderOptions;
  readonly #own: Format;
  readonly #calls: Format | undefined;
  /** The requests whose async iterables are being sent. */
  readonly #underWay = new Set<RestRequest>();

  constructor(options: ResponderOptions) {
    const { settings, calls } = options;
    this.#options = options;
    this.#own = toFormat(settings.envelope, toDataText, false);
    this.#calls = calls && toFormat(calls.envelope, calls.toText, true);
  }

  /** 200 with the handler's value in the envelope, or what the handler asked for. */
  succeed(request: RestRequest, value: unknown): void {
    try {
      if (isPlainData(value)) return this.#sendData(request, { status: 200, headers: JSON_TYPE, value });
      const content = toHandlerContent(value, this.#formatOf(request).isCall);
      const { status, kind } = content;
      if (kind === 'items') return this.#orRefuse(request, this.#sendItems(request, content));
      const headers = withCaching(request, content.headers);
      if (kind === 'bytes') return this.send(request, toAccepted(request, { status, headers, body: content.value }));
      const typed = headers.includes('content-type') ? headers : [...JSON_TYPE, ...headers];
      this.#sendData(request, { status, headers: typed, value: content.value });
    } catch (thrown) {
      this.refuse(request, toFailure(thrown));
    }
  }

  /** The failure in the envelope. `more` headers come besides those of every response. */
  refuse(request: RestRequest, reason: Failure, more: RawHeaders = []): void {
    const { envelope, failureHeaders } = this.#formatOf(request);
    const told = toAnswered(envelope, reason);
    this.#report(request, told);
    const { retryAfterSeconds: seconds, status } = told;
    const retry = seconds === undefined ? [] : ['retry-after', String(seconds)];
    const headers = retry.length + more.length === 0 ? failureHeaders : [...failureHeaders, ...retry, ...more];
    this.send(request, { status, headers, body: this.#toErrorText(request, told) });
  }

  /** Sends a response that is ready. @throws for headers that cannot be sent */
  send(request: RestRequest, response: HttpResponse): void {
    const { prepare } = this.#options;
    if (prepare === undefined) return this.#write(request, response);
    const prepared = prepare(request, { ...response, status: response.status ?? 200 });
    if (isPromise(prepared))
      this.#orRefuse(
        request,
        prepared.then((made) => this.#write(request, made)),
      );
    else this.#write(request, prepared);
  }

  /** Ends the async iterables under way: signals fire, and the last item says that the server stops. */
  endEvents(): void {
    for (const request of this.#underWay) request.abort(new DOMException('The server is stopping.', 'AbortError'));
  }

  /** The length is taken from the text inside: measuring the joined text would copy it once more. */
  #sendData(request: RestRequest, { status, headers, value }: Content): void {
    const { head, tail, frameBytes, toText, envelope } = this.#formatOf(request);
    const { success } = envelope;
    const json = toText(success === undefined ? value : success(value ?? null), request.capability);
    const byteLength = frameBytes + Buffer.byteLength(json);
    this.send(request, { status, headers: withCaching(request, headers), body: head + json + tail, byteLength });
  }

  /** Sends items, which may have no end. Before the head is sent, a fault has its own status. */
  async #sendItems(request: RestRequest, { status, headers, value }: Content & { readonly value: ItemSource }) {
    const { settings, life } = this.#options;
    const { envelope, toText } = this.#formatOf(request);
    const isEvents = !isOfBytes(value);
    const items = isEvents ? value : guarded(value, { step: expectBytes });
    const format = isEvents ? toEventFormat(request.headers['accept'], toText) : bytesFormat;
    const response = { status, headers: withCaching(request, [...format.headers, ...headers]) };
    const expectOpen = (): void => {
      if (isEvents && life.phase === 'draining') throw defaultErrors.ServiceUnavailable();
    };
    // Whoever made the items may hold something until they end. The end is not waited for, which may never come.
    const end = (): void => {
      this.#underWay.delete(request);
      void items.end();
    };
    if (request.method === 'HEAD') {
      end();
      return this.send(request, { ...response, body: Readable.from([]) });
    }
    const { signal } = request;
    request.watchLeave();
    if (isEvents) this.#underWay.add(request);
    let first: ReturnType<ItemSource['next']>;
    try {
      expectOpen();
      first = items.next();
      await limitStart(first, signal);
      if (signal.aborted) expectOpen();
    } catch (thrown) {
      end();
      throw thrown;
    }
    if (signal.aborted) return end();
    const toFault = (thrown: unknown): unknown => {
      const reason = thrown === undefined ? stopping : toFailure(thrown);
      if (thrown !== undefined) this.#report(request, reason);
      return toFailureBody(envelope, reason);
    };
    const { heartbeatMs } = settings;
    const body = createItemBody({ items, first, format, heartbeatMs, signal, toFault }).once('close', end);
    this.send(request, { ...response, body });
  }

  #orRefuse(request: RestRequest, sent: PromiseLike<void>): void {
    void sent.then(undefined, (thrown: unknown) => this.refuse(request, toFailure(thrown)));
  }

  #write(request: RestRequest, { status = 200, headers, body, byteLength }: HttpResponse): void {
    const { cors, settings, app, life } = this.#options;
    const { exchange, capability, routeHeaders } = request;
    const own = settings.securityHeaders;
    const shared = cors.fixed ?? cors.headersFor(originOf(request));
    const id = request.requestId;
    // One literal: a list that grows costs 3 % of a small response.
    const all =
      isStream(body) || isBodiless(status)
        ? [...headers, ...shared, 'x-request-id', id]
        : [...headers, ...shared, 'content-length', String(byteLength ?? lengthOf(body)), 'x-request-id', id];
    if (own.length > 0) all.push(...own.filter((_, at) => !hasName(headers, own[at - (at % 2)])));
    if (routeHeaders !== undefined) all.push(...routeHeaders);
    if (life.phase === 'draining') exchange.endsConnection = true;
    if (isStream(body)) {
      request.watchLeave();
      body.on('error', (error) => {
        if (request.signal.aborted) return;
        const message = `[capix] ${request.method} ${request.path} failed while its answer was being sent`;
        app.logger.error(message, { requestId: request.requestId, error });
      });
    }
    try {
      exchange.send(status, all, body);
    } catch (thrown) {
      if (isStream(body)) body.destroy();
      throw thrown;
    }
    const { onResponse } = app.hooks;
    onResponse?.({ request, capability, status, durationMs: performance.now() - request.startedAtMs });
  }

  /** Tells of a failure that is about to be answered, or that came too late for that. */
  #report(request: RestRequest, reason: Failure): void {
    const { logger, hooks } = this.#options.app;
    const { requestId, method, path, capability } = request;
    if (reason.unexpected === true)
      logger.error(`[capix] ${method} ${path} failed`, { requestId, error: reason.cause });
    hooks.onError?.({ request, capability, failure: reason, error: reason.cause });
  }

  /** `meta` comes from the application, and may hold what JSON cannot; so may what an envelope makes of it. */
  #toErrorText(request: RestRequest, reason: Failure): string {
    const { name, message } = reason;
    try {
      return toJsonText(toFailureBody(this.#formatOf(request).envelope, reason)) ?? 'null';
    } catch (error) {
      const told = `[capix] The meta of ${name} cannot be written as JSON; it was left out.`;
      this.#options.app.logger.error(told, { error });
      return JSON.stringify({ error: name, message });
    }
  }

  #formatOf({ path }: RestRequest): Format {
    const isCall = this.#calls !== undefined && path.startsWith(`${this.#options.settings.prefix}/_call/`);
    return (isCall ? this.#calls : undefined) ?? this.#own;
  }
}

interface Content {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly value: unknown;
}

const stopping = failure(defaultErrors.ServiceUnavailable, 'The server is stopping');

function toFormat(envelope: Envelope, toText: ToText, isCall: boolean): Format {
  const { success, failureType, dataPath } = envelope;
  const [field] = dataPath;
  const isBare = success !== undefined || field === undefined;
  const [head, tail] = isBare ? ['', ''] : [`{${JSON.stringify(field)}:`, '}'];
  const failureHeaders = failureType === 'application/json' ? JSON_TYPE : ['content-type', failureType];
  return { envelope, toText, isCall, head, tail, frameBytes: Buffer.byteLength(head + tail), failureHeaders };
}

/**
 * A browser shows a page nothing of a redirect that it does not follow. For clients that ask for `text/uri-list`, a
 * redirect is that list: a comment with its status, and its URL.
 */
function toAccepted({ headers: asked }: RestRequest, response: HttpResponse & { status: number }): HttpResponse {
  const { status, headers } = response;
  const location = status >= 300 && status < 400 ? findHeader(headers, 'location') : undefined;
  if (location === undefined || !String(asked['accept']).includes('text/uri-list')) return response;
  const others = omitHeaders(headers, (name) => name === 'location');
  const listed = [...others, 'content-type', 'text/uri-list', 'vary', 'accept'];
  return { headers: listed, body: `#${status}\r\n${location}\r\n` };
}

/** The `Cache-Control` that is declared, unless the handler has said another one. */
function withCaching({ cacheControl }: RestRequest, headers: RawHeaders): RawHeaders {
  if (cacheControl === undefined || headers.includes('cache-control')) return headers;
  return [...headers, 'cache-control', cacheControl];
}

function hasName(headers: RawHeaders, name: string | undefined): boolean {
  return headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

export function originOf(request: RestRequest): string | undefined {
  return request.headers['origin'];
}

function lengthOf(body: string | Uint8Array | undefined): number {
  return body === undefined ? 0 : Buffer.byteLength(body);
}
