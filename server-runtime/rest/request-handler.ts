import type { BuilderRequest } from '../capability/context.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type MaybePromise, type Outcome, toFailure, toTimeout } from '../errors/failure.ts';
import { findRequestId, OperationCall } from '../execution/operation-call.ts';
import type { Exchange, RawHeaders } from '../http/exchange.ts';
import type { MatchRoute, PathParams, RouteMatch } from '../routing/create-matcher.ts';
import type { CorsSettings } from './cors-settings.ts';
import { hasTextParams, type ReceivedBody, readInput, receiveBody } from './request-input.ts';
import { type HttpResponse, originOf, type Responder, type RestParts } from './responder.ts';
import type { ServedOperation } from './rest-pipeline.ts';

export interface RequestHandlerOptions extends RestParts {
  readonly cors: CorsSettings;
  readonly responder: Responder;
  readonly matchRoute: MatchRoute<ServedOperation>;
  /** The pages that are served besides the capabilities, to GET, by path. */
  readonly pages: ReadonlyMap<string, HttpResponse>;
  /** The headers that capabilities are declared to take, for preflights. */
  readonly allowedHeaders: readonly string[];
}

/** An HTTP request as context builders and hooks see it. It has getters, because most requests need none of them. */
export class RestRequest extends OperationCall implements BuilderRequest {
  /** Set with the route, as `params` is. */
  served!: ServedOperation;
  params!: PathParams;
  body: ReceivedBody = undefined;
  readonly exchange: Exchange;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly requestId: string;
  /** Milliseconds of `performance.now()`; 0 where nobody asks. */
  readonly startedAtMs: number;
  readonly #options: RequestHandlerOptions;
  rawBody: Uint8Array | undefined = undefined;
  /** The path of the route, once one has matched: `/users/:id`. */
  route: string | undefined = undefined;
  /** The headers of the response, besides those of every one. */
  routeHeaders: RawHeaders | undefined = undefined;
  /** The `Cache-Control` of its response, unless that is an error; undefined for none. */
  cacheControl: string | undefined = undefined;
  #isWatched = false;

  constructor(exchange: Exchange, options: RequestHandlerOptions) {
    super();
    const { app } = options;
    const url = toOriginForm(exchange.url);
    this.exchange = exchange;
    this.method = exchange.method;
    this.url = url;
    this.path = toPath(url);
    this.requestId = findRequestId(exchange.headers['x-request-id']) ?? app.newRequestId();
    this.startedAtMs = app.hooks.onResponse === undefined ? 0 : performance.now();
    this.#options = options;
  }

  override readInput(): MaybePromise<Outcome> {
    const { served } = this;
    // A path that is all of the input needs no plan.
    const isBare = this.body === undefined && this.url.length === this.path.length && served.sent.length === 0;
    const isPath = isBare && (served.hasTextParams ??= hasTextParams(served));
    return isPath ? { ok: true, value: { ...this.params } } : readInput(this);
  }
  override onTimeout(): void {
    this.#options.responder.refuse(this, toTimeout(this.timeoutMs));
  }

  addHeader(name: string, value: string): void {
    this.routeHeaders = [...(this.routeHeaders ?? []), name, value];
  }
  get transport(): string {
    return 'rest';
  }
  get headers(): BuilderRequest['headers'] {
    return this.exchange.headers;
  }
  get remoteAddress(): string | undefined {
    const { trustProxy: findCaller } = this.#options.settings;
    return findCaller === undefined ? this.exchange.remoteAddress : findCaller(this.exchange);
  }

  /** Fires the signal when the caller leaves. Only for requests that are not answered at once. */
  watchLeave(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.exchange.onLeave(() => this.abort(new DOMException('The caller closed the connection.', 'AbortError')));
  }
}

/** `http://host/path`, as a request to a proxy is written, is `/path`. */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

/** Without the query. */
function toPath(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

/** The straight line of one request: head → route → body → context → … → handler → response. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  readonly handle = (exchange: Exchange): void => {
    const request = new RestRequest(exchange, this.#options);
    try {
      this.#options.app.hooks.onRequest?.(request);
      this.#route(request);
    } catch (thrown) {
      if (request.close()) this.#options.responder.refuse(request, toFailure(thrown));
    }
  };

  /** Whether a request is for a capability or a page, or the preflight of one. */
  serves(method: string, url: string): boolean {
    const path = toPath(toOriginForm(url));
    if (this.#findPage(method, path) !== undefined) return true;
    const { kind } = this.#options.matchRoute(method, path);
    return kind === 'matched' || (kind === 'method-not-allowed' && method === 'OPTIONS');
  }

  #route(request: RestRequest): void {
    const { life, settings, responder, matchRoute } = this.#options;
    if (life.phase !== 'open') {
      // The caller had better ask another server.
      request.exchange.endsConnection = true;
      return responder.refuse(request, failure(defaultErrors.ServiceUnavailable));
    }
    if (settings.limits.isFull?.() === true) {
      const busy = failure(defaultErrors.ServiceUnavailable, 'Too many requests at once; try again in 1 s');
      return responder.refuse(request, { ...busy, retryAfterSeconds: 1 });
    }
    const page = this.#findPage(request.method, request.path);
    if (page !== undefined) return responder.send(request, page);
    const match = matchRoute(request.method, request.path);
    if (match.kind === 'matched') this.#receive(request, match);
    else this.#answerUnmatched(request, match);
  }

  #receive(request: RestRequest, { route, params }: Extract<RouteMatch<ServedOperation>, { kind: 'matched' }>): void {
    const { app, settings } = this.#options;
    const { operation: served, method, path } = route;
    const { timeoutMs = settings.timeoutMs ?? app.timeoutMs, definition } = served.operation;
    request.served = served;
    request.params = params;
    request.timeoutMs = timeoutMs;
    request.capability = served.key;
    request.route = path;
    request.routeHeaders = served.headers;
    request.cacheControl = definition.cacheControl ?? (method === 'GET' ? settings.cacheControl : undefined);
    if (method === 'GET' || method === 'DELETE') this.#run(request);
    else receiveBody(request, settings, this.#takeBody);
  }

  readonly #takeBody = (received: Outcome<ReceivedBody>, request: RestRequest): void => {
    if (received.ok) {
      request.body = received.value;
      this.#run(request);
    } else if (request.close()) this.#answer(received, request);
  };

  #run(request: RestRequest): void {
    this.#options.app.execute(request.served.operation, request, this.#answer);
    if (request.isOpen) request.watchLeave();
  }

  readonly #answer = (outcome: Outcome, request: RestRequest): void => {
    const { responder } = this.#options;
    if (outcome.ok) responder.succeed(request, outcome.value);
    else responder.refuse(request, outcome.failure);
  };

  #findPage(method: string, path: string): HttpResponse | undefined {
    const { pages } = this.#options;
    return pages.size > 0 && (method === 'GET' || method === 'HEAD') ? pages.get(path) : undefined;
  }

  #answerUnmatched(request: RestRequest, match: Exclude<RouteMatch<ServedOperation>, { kind: 'matched' }>): void {
    const { responder, cors, allowedHeaders } = this.#options;
    const allow = match.kind === 'method-not-allowed' ? ['allow', match.allow.join(', ')] : [];
    if (match.kind === 'bad-path') {
      const message = 'The percent-encoding of the path cannot be decoded';
      responder.refuse(request, failure(defaultErrors.BadRequest, message));
    } else if (request.method === 'OPTIONS') {
      const preflight = cors.preflightHeadersFor(originOf(request), allowedHeaders);
      responder.send(request, { status: 204, headers: [...preflight, ...allow] });
    } else {
      const kind = match.kind === 'not-found' ? defaultErrors.NotFound : defaultErrors.MethodNotAllowed;
      responder.refuse(request, failure(kind), allow);
    }
  }
}
