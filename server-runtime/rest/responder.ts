import { Readable } from 'node:stream';
import { isReply } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, toFailure } from '../errors/failure.ts';
import { discardValue, isPlainData } from '../execution/execute.ts';
import type { Cors } from '../http/cors.ts';
import { type Envelope, toAnswered, toFailureBody } from '../http/envelope.ts';
import { isBodiless, isStream, type RawHeaders, type ResponseBody } from '../http/exchange.ts';
import { findHeader, type HttpResponse, JSON_TYPE, omitHeaders } from '../http/http-response.ts';
import type { PrepareResponse } from '../http/prepare-response.ts';
import { toDataText, toJsonText } from '../http/to-json-text.ts';
import { findItemSource, IS_BYTES, type ItemSource, isResponse } from '../resources/item-source.ts';
import type { MatchRoute } from '../routing/create-matcher.ts';
import type { Application } from '../server/create-server.ts';
import { bytesFormat, openItemBody, toEventFormat } from './item-body.ts';
import type { RestRequest } from './request-handler.ts';
import type { RestRoute } from './request-input.ts';
import type { RestSettings } from './rest-options.ts';

export interface RestParts {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly cors: Cors;
  /** Unless it is open, connections end with their response. */
  readonly life: { phase: 'starting' | 'open' | 'draining' };
  readonly matchRoute: MatchRoute<RestRoute>;
  /** The pages that are served to GET, by path. */
  readonly pages: ReadonlyMap<string, HttpResponse>;
  /** Compresses and compares; undefined where nothing does. */
  readonly prepare: PrepareResponse | undefined;
  /** The form of calls by key; undefined where none are taken. */
  readonly calls: Pick<Format, 'envelope' | 'toText'> | undefined;
}

interface Format {
  readonly envelope: Envelope;
  /** The text of data. `key` names the capability in errors. */
  readonly toText: (value: unknown, key?: string) => string;
  /** The text around data, and its length, bytes. */
  readonly frame: readonly [head: string, tail: string];
  readonly frameBytes: number;
  readonly failureHeaders: RawHeaders;
}

/** Answers requests, and tells the hooks and the log of them. Each method ends one. */
export class Responder {
  readonly parts: RestParts;
  readonly #own: Format;
  readonly #calls: Format | undefined;
  /** The requests whose async iterables are being sent. */
  readonly #underWay = new Set<RestRequest>();

  constructor(parts: RestParts) {
    const { settings, calls } = parts;
    this.parts = parts;
    this.#own = toFormat(settings.envelope, toDataText);
    this.#calls = calls && toFormat(calls.envelope, calls.toText);
  }

  /** 200 with the handler's value in the envelope, or what the handler asked for. */
  succeed(request: RestRequest, value: unknown): void {
    try {
      if (isPlainData(value)) this.#sendData(request, { headers: JSON_TYPE }, value);
      else this.#sendOther(request, value);
    } catch (thrown) {
      this.refuse(request, toFailure(thrown));
    }
  }

  /** The failure in the envelope. `more` headers come besides those of every response. */
  refuse(request: RestRequest, reason: Failure, more: RawHeaders = []): void {
    const { envelope, failureHeaders } = this.#formatOf(request);
    const told = toAnswered(envelope, reason);
    this.#report(request, told);
    const { retryAfterSeconds, status, name: error, message } = told;
    const retry = retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)];
    let body: string;
    try {
      body = toJsonText(toFailureBody(envelope, told)) ?? 'null';
    } catch (fault) {
      // `meta` comes from the application, and may hold what JSON cannot; so may what an envelope makes of it.
      const text = `[capix] The meta of ${error} cannot be written as JSON; it was left out.`;
      this.parts.app.logger.error(text, { error: fault });
      body = JSON.stringify({ error, message });
    }
    this.send(request, { status, headers: [...failureHeaders, ...retry, ...more], body });
  }

  /** Ends the async iterables under way: the last item says that the server stops. */
  endEvents(): void {
    for (const request of this.#underWay)
      request.abort(new DOMException('The server is stopping.', 'AbortError'));
  }

  /** The length is taken from the text inside: measuring the joined text would copy it once more. */
  #sendData(request: RestRequest, { status, headers }: HttpResponse, value: unknown): void {
    const { frame, frameBytes, toText } = this.#formatOf(request);
    const json = toText(value, request.capability);
    const body = frame[0] + json + frame[1];
    const byteLength = frameBytes + Buffer.byteLength(json);
    this.send(request, { status, headers: withCaching(request, headers), body, byteLength });
  }

  /** A text with a type of its own is sent as it is, but for `capix/client`, which reads a text as data. */
  #sendOther(request: RestRequest, given: unknown): void {
    const isCall = this.#formatOf(request) === this.#calls;
    const {
      data: value,
      status: stated = 200,
      headers: more,
    } = isReply(given) ? given : { data: given, headers: {} };
    const response = isResponse(value) ? value : undefined;
    const { status } = response ?? { status: stated };
    const headers = toRawHeaders(
      Object.entries(more),
      response === undefined ? [] : toOwnHeaders(response),
    );
    const send = (body: ResponseBody, own = headers): void =>
      this.send(request, { status, headers: withCaching(request, own), body });
    const location = status >= 300 && status < 400 ? findHeader(headers, 'location') : undefined;
    const isListed =
      location !== undefined && request.headers['accept']?.includes('text/uri-list') === true;
    if (isBodiless(status) || isListed || (location !== undefined && response === undefined)) {
      discardValue(value);
      if (!isListed) return send(undefined);
      // A browser shows a page nothing of a redirect that it does not follow, so that clients ask for its URL.
      const others = omitHeaders(headers, (name) => name === 'location');
      const listed = [
        ...withCaching(request, others),
        'content-type',
        'text/uri-list',
        'vary',
        'accept',
      ];
      return this.send(request, { headers: listed, body: `#${status}\r\n${location}\r\n` });
    }
    const isTyped = headers.includes('content-type');
    if (typeof value === 'string' && isTyped && !isCall) return send(value);
    const items = value instanceof Uint8Array ? undefined : findItemSource(value);
    const isAsItIs = response !== undefined || (items !== undefined && !items[IS_BYTES]);
    const bytes =
      isTyped || isAsItIs ? headers : ['content-type', 'application/octet-stream', ...headers];
    if (value instanceof Uint8Array) return send(value, bytes);
    if (items === undefined && response !== undefined) return send(undefined);
    if (items !== undefined)
      return void this.#sendItems(request, { status, headers: bytes }, items).catch((thrown) =>
        this.refuse(request, toFailure(thrown)),
      );
    const others = isCall ? omitHeaders(headers, (name) => name === 'content-type') : headers;
    this.#sendData(
      request,
      { status, headers: isTyped && !isCall ? headers : [...JSON_TYPE, ...others] },
      value,
    );
  }

  async #sendItems(
    request: RestRequest,
    { status, headers }: HttpResponse,
    items: ItemSource,
  ): Promise<void> {
    const { settings, life } = this.parts;
    const { envelope, toText } = this.#formatOf(request);
    const { signal } = request;
    const isEvents = !items[IS_BYTES];
    const toFault = (thrown: unknown): unknown => {
      const reason = signal.aborted ? stopping : toFailure(thrown);
      if (!signal.aborted) this.#report(request, reason);
      return toFailureBody(envelope, reason);
    };
    const format = isEvents
      ? toEventFormat(request.headers['accept'], toText, toFault)
      : bytesFormat;
    const response = { status, headers: withCaching(request, [...format.headers, ...headers]) };
    if (request.method === 'HEAD') {
      void items.end();
      return this.send(request, { ...response, body: Readable.from([]) });
    }
    request.watchLeave();
    if (isEvents) this.#underWay.add(request);
    if (life.phase === 'draining') this.endEvents();
    const onEnd = (): void => void this.#underWay.delete(request);
    const body = await openItemBody(items, format, {
      heartbeatMs: settings.heartbeatMs,
      signal,
      onEnd,
    });
    if (body !== undefined) this.send(request, { ...response, body });
    else if (isEvents && life.phase === 'draining') throw defaultErrors.ServiceUnavailable();
  }

  /** Sends a response that is ready. @throws for headers that cannot be sent */
  send(request: RestRequest, ready: HttpResponse): void {
    const { cors, settings, app, life, prepare } = this.parts;
    const { status = 200, headers, body, byteLength } = prepare?.(request.exchange, ready) ?? ready;
    const { exchange, capability, routeHeaders } = request;
    const own = settings.securityHeaders;
    const shared = cors.fixed ?? cors.headersFor(request.headers['origin']);
    const length =
      isStream(body) || isBodiless(status)
        ? undefined
        : (byteLength ?? Buffer.byteLength(body ?? ''));
    // One literal: a list that grows costs 3 % of a small response.
    const all =
      length === undefined
        ? [...headers, ...shared, 'x-request-id', request.requestId]
        : [
            ...headers,
            ...shared,
            'content-length',
            String(length),
            'x-request-id',
            request.requestId,
          ];
    if (own.length > 0) all.push(...omitHeaders(own, (name) => headers.includes(name)));
    if (routeHeaders.length > 0) all.push(...routeHeaders);
    if (life.phase !== 'open') exchange.endsConnection = true;
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
    app.hooks.onResponse?.({
      request,
      capability,
      status,
      durationMs: performance.now() - request.startedAtMs,
    });
  }

  /** Tells of a failure that is about to be answered, or that came too late for that. */
  #report(request: RestRequest, reason: Failure): void {
    const { logger, hooks } = this.parts.app;
    const { requestId, method, path, capability } = request;
    const error = reason.cause;
    if (reason.unexpected === true)
      logger.error(`[capix] ${method} ${path} failed`, { requestId, error });
    hooks.onError?.({ request, capability, failure: reason, error });
  }

  #formatOf({ path }: RestRequest): Format {
    if (this.#calls === undefined) return this.#own;
    return path.startsWith(`${this.parts.settings.prefix}/_call/`) ? this.#calls : this.#own;
  }
}

const stopping = failure(defaultErrors.ServiceUnavailable, 'The server is stopping');

function toFormat(envelope: Envelope, toText: Format['toText']): Format {
  const { dataField, failureType } = envelope;
  const frame =
    dataField === false ? (['', ''] as const) : ([`{${JSON.stringify(dataField)}:`, '}'] as const);
  const failureHeaders =
    failureType === 'application/json' ? JSON_TYPE : ['content-type', failureType];
  return { envelope, toText, frame, frameBytes: Buffer.byteLength(frame.join('')), failureHeaders };
}

/** The `Cache-Control` that is declared, unless the handler has said another one. */
function withCaching({ served }: RestRequest, headers: RawHeaders): RawHeaders {
  const cacheControl = served?.operation.definition.cacheControl;
  if (cacheControl === undefined || headers.includes('cache-control')) return headers;
  return [...headers, 'cache-control', cacheControl];
}

/** The body that fetch gives has been decoded, whatever its headers still say. */
function toOwnHeaders({ headers, url }: Response): string[] {
  return toRawHeaders([...headers].filter(([name]) => url === '' || name !== 'content-encoding'));
}

/** The headers that the transport itself sets, whatever a handler says. */
const ownHeaders =
  /^(connection|content-length|keep-alive|proxy-connection|transfer-encoding|upgrade|x-request-id)$/;

function toRawHeaders(
  headers: Iterable<readonly [string, string | readonly string[]]>,
  raw: string[] = [],
): string[] {
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.test(lower)) continue;
    for (const each of typeof value === 'string' ? [value] : value) raw.push(lower, each);
  }
  return raw;
}
