import type { AnyGuard } from '../capability/guard.ts';
import { isPlainData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { toRefusalHeaders } from '../http/challenge.ts';
import type { Cors } from '../http/cors.ts';
import {
  type BodyFormat,
  toAnswered,
  toBodyFormat,
  toPlainBody,
  toRefusalText,
} from '../http/envelope.ts';
import { findLength, isStream, type RawHeaders } from '../http/exchange.ts';
import {
  findStatedLength,
  type HttpAnswer,
  isSendable,
  LOCATION_TYPE,
  takesLocation,
  toHttpAnswer,
  withType,
} from '../http/http-answer.ts';
import type { HttpDoor } from '../http/http-door.ts';
import { type HttpResponse, JSON_TYPE, omitHeaders } from '../http/http-response.ts';
import type { PrepareResponse } from '../http/prepare-response.ts';
import { toBeyond } from '../http/ranges.ts';
import type { MatchRoute } from '../routing/create-matcher.ts';
import type { Application } from '../server/application.ts';
import type { CallPort } from '../server/call.ts';
import { joinHeaders } from '../server/raw-headers.ts';
import { toDataText } from '../server/to-json-text.ts';
import { findPart, hasParts } from './byte-parts.ts';
import { ItemSender } from './item-sender.ts';
import type { RestRequest } from './request-handler.ts';
import { hasTextParams, type RestRoute, readInput, readParams } from './request-input.ts';
import type { RestSettings } from './rest-options.ts';

export interface RestParts {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly cors: Cors;
  /** Unless it is open, connections end with their response. */
  readonly life: { readonly phase: 'starting' | 'open' | 'draining' };
  readonly matchRoute: MatchRoute<RestRoute>;
  /** The pages that are served to GET, by path. */
  readonly pages: ReadonlyMap<string, HttpResponse>;
  /** What answers at a path in place of capabilities, by path. */
  readonly doors: ReadonlyMap<string, HttpDoor>;
  /** Compresses and compares; undefined where nothing does. */
  readonly prepare: PrepareResponse | undefined;
  /** The form of calls by key; undefined where none are taken. */
  readonly calls: Pick<BodyFormat, 'envelope' | 'toText'> | undefined;
}

/** The port of calls over HTTP: reads the input of requests and answers them. */
export class Responder implements CallPort<RestRequest> {
  readonly parts: RestParts;
  readonly #own: BodyFormat;
  readonly #calls: BodyFormat | undefined;
  /** The headers of nearly every response, where the origin does not matter: those of plain data. */
  readonly #plainHeaders: RawHeaders | undefined;
  /** Sends answers that are items or a stream of bytes. */
  readonly items: ItemSender;

  constructor(parts: RestParts) {
    const { settings, calls, cors } = parts;
    this.parts = parts;
    this.items = new ItemSender(this);
    this.#own = toBodyFormat(settings.envelope, toDataText);
    this.#calls = calls && toBodyFormat(calls.envelope, calls.toText);
    if (cors.fixed !== undefined)
      this.#plainHeaders = joinHeaders(JSON_TYPE, cors.fixed, settings.securityHeaders);
  }

  readInput(request: RestRequest): MaybePromise<Outcome> {
    const { served, params, bodyKind, url, path } = request;
    if (served === undefined) return { ok: true, value: {} };
    // A path that is all of the input needs no plan.
    const isBare =
      bodyKind === undefined && url.length === path.length && served.headerFields.length === 0;
    if (!isBare) return readInput(request, served);
    served.hasTextParams ??= hasTextParams(served);
    return served.hasTextParams ? { ok: true, value: { ...params } } : readInput(request, served);
  }

  readParams(request: RestRequest): MaybePromise<Outcome> {
    const { served } = request;
    return served === undefined ? { ok: true, value: {} } : readParams(request, served);
  }

  /** Sends the value of the handler in the envelope with 200, or the answer that the handler described. */
  succeed(request: RestRequest, value: unknown): void {
    if (isPlainData(value)) this.#sendData(request, { headers: JSON_TYPE }, value);
    else this.#sendOther(request, value);
  }

  /** The failure as the envelope of the request answers it. */
  toAnswered(request: RestRequest, reason: Failure): Failure {
    if (request.door !== undefined) return reason;
    return toAnswered(this.formatOf(request).envelope, reason);
  }

  /** The failure in the envelope. */
  refuse(request: RestRequest, reason: Failure): void {
    const { envelope, failureHeaders } = this.formatOf(request);
    const body = request.door?.toRefusalText(reason) ?? toRefusalText(envelope, reason, request);
    try {
      const own = toRefusalHeaders(reason, this.#findGuards(request));
      const headers = own.length === 0 ? failureHeaders : joinHeaders(failureHeaders, own);
      this.send(request, { status: reason.status, headers, body });
    } catch (error) {
      request.logError('could not be answered with its own headers', error);
      const internal = failure(defaultErrors.Internal);
      const { status } = internal;
      request.exchange.send(status, JSON_TYPE, JSON.stringify(toPlainBody(internal)));
      request.reportAnswer(status);
    }
  }

  /** Those of the capability, or else of the page. */
  #findGuards({ served }: RestRequest): readonly AnyGuard[] {
    return served?.operation.definition.guards ?? this.parts.settings.docs?.guards ?? [];
  }

  /** The length is taken from the text inside: measuring the joined text would copy it once more. */
  #sendData(request: RestRequest, { status, headers }: HttpResponse, value: unknown): void {
    const { frame, frameBytes, toText } = this.formatOf(request);
    const json = toText(value, request.capability);
    const body = frame[0] + json + frame[1];
    const byteLength = frameBytes + Buffer.byteLength(json);
    this.send(request, { status, headers: this.withCaching(request, headers), body, byteLength });
  }

  /** Everything but plain data: one sender for each kind of body. */
  #sendOther(request: RestRequest, handled: unknown): void {
    const answer = toHttpAnswer(handled);
    const { status, headers, body, location } = answer;
    if (location !== undefined && takesLocation(request.headers['accept'])) {
      if (isSendable(location)) return this.#sendLocation(request, answer, location);
      const fault = new TypeError('A redirect has a URL that no header can carry.');
      return request.refuse(request.app.toFailure(fault));
    }
    switch (body.kind) {
      case 'empty':
        return this.#sendWhole(request, { status, headers });
      case 'text':
        // `capix/client` calls by key, and reads a text as data.
        if (this.isByKey(request)) return this.#sendAnyData(request, answer, body.text);
        return this.#sendWhole(request, { status, headers, body: body.text });
      case 'bytes':
        return this.#sendBytes(request, answer, body.bytes);
      case 'items':
        return this.items.sendAnswer(request, answer, {
          items: body.items,
          length: findStatedLength(handled),
        });
      case 'data':
        return this.#sendAnyData(request, answer, body.value);
      default:
        return body satisfies never;
    }
  }

  #sendBytes(request: RestRequest, answer: HttpAnswer, body: Uint8Array): void {
    const { exchange } = request;
    const headers = this.withCaching(request, withType(answer));
    const response = { status: answer.status, headers, body };
    if (!hasParts(request, answer)) return this.send(request, response);
    const whole = this.parts.prepare?.(exchange, response) ?? response;
    // It is 304, or compressed.
    if (whole.body !== body) return this.#sendPrepared(request, whole);
    const part = findPart(request, whole.headers, body.length);
    if (part === 'beyond') return request.refuse(toBeyond(body.length));
    const { first, last } = part.range;
    this.#sendPrepared(request, { ...part, body: body.subarray(first, last + 1) });
  }

  #sendWhole(request: RestRequest, response: HttpResponse): void {
    this.send(request, { ...response, headers: this.withCaching(request, response.headers) });
  }

  /** A browser shows a page nothing of a redirect that it does not follow, so that clients ask for its URL. */
  #sendLocation(
    request: RestRequest,
    { status, headers, body }: HttpAnswer,
    location: string,
  ): void {
    if (body.kind === 'items') void body.items.end();
    const others = omitHeaders(headers, (name) => name === 'location');
    this.send(request, {
      headers: joinHeaders(LOCATION_TYPE, this.withCaching(request, others)),
      body: `#${status}\r\n${location}\r\n`,
    });
  }

  /** Data may have a JSON type of its own, except in calls by key, whose format differs. */
  #sendAnyData(request: RestRequest, { status, headers }: HttpAnswer, value: unknown): void {
    if (headers.length === 0) return this.#sendData(request, { status, headers: JSON_TYPE }, value);
    const isByKey = this.isByKey(request);
    const typed = isByKey ? joinHeaders(JSON_TYPE, headers) : joinHeaders(headers, JSON_TYPE);
    this.#sendData(request, { status, headers: typed }, value);
  }

  /** Sends a response that is ready. @throws for headers that cannot be sent */
  send(request: RestRequest, ready: HttpResponse): void {
    this.#sendPrepared(request, this.parts.prepare?.(request.exchange, ready) ?? ready);
  }

  #sendPrepared(request: RestRequest, response: HttpResponse): void {
    const { life } = this.parts;
    const { exchange } = request;
    const { status = 200, body } = response;
    const named = this.#headersOf(request, response.headers);
    const length = findLength(response);
    // One literal: a list that grows costs 3 % of a small response.
    const all =
      length === undefined
        ? [...named, 'x-request-id', request.requestId]
        : [...named, 'content-length', String(length), 'x-request-id', request.requestId];
    if (life.phase !== 'open') exchange.endsConnection = true;
    if (isStream(body)) {
      request.watchLeave();
      body.on('error', (error) => {
        if (!request.signal.aborted)
          request.logError('failed while its answer was being sent', error);
      });
    }
    try {
      exchange.send(status, all, body);
    } catch (thrown) {
      if (isStream(body)) body.destroy();
      throw thrown;
    }
    request.reportAnswer(status);
  }

  /** The headers of an answer with those of the call and of every response. */
  #headersOf(request: RestRequest, headers: RawHeaders): RawHeaders {
    const { addedHeaders } = request;
    const isPlain = headers === JSON_TYPE && addedHeaders.length === 0;
    if (isPlain && this.#plainHeaders !== undefined) return this.#plainHeaders;
    const { cors, settings } = this.parts;
    const shared = cors.fixed ?? cors.headersFor(request.headers['origin']);
    return joinHeaders(headers, addedHeaders, shared, settings.securityHeaders);
  }

  isByKey(request: RestRequest): boolean {
    return this.formatOf(request) === this.#calls;
  }

  /** The form of its body: that of calls by key, or of routes. */
  formatOf({ path }: RestRequest): BodyFormat {
    if (this.#calls === undefined) return this.#own;
    return path.startsWith(`${this.parts.settings.prefix}/_call/`) ? this.#calls : this.#own;
  }

  /**
   * Adds the declared `Cache-Control`, unless the handler has set one, and `Vary` with the headers on which a cacheable
   * answer depends.
   */
  withCaching({ served }: RestRequest, headers: RawHeaders): RawHeaders {
    if (served === undefined) return headers;
    const { operation, varies } = served;
    const { cacheControl } = operation.definition;
    if (cacheControl === undefined && varies.length === 0) return headers;
    if (headers.includes('cache-control')) return [...headers, ...varies];
    if (cacheControl === undefined) return headers;
    return [...headers, 'cache-control', cacheControl, ...varies];
  }
}
