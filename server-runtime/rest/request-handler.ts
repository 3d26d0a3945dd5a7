import { defaultErrors } from '../errors/default-errors.ts';
import { failure, toFailure, toTimeout } from '../errors/failure.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import type { Exchange } from '../http/exchange.ts';
import type { MatchRoute, RouteMatch } from '../routing/create-matcher.ts';
import type { Application } from '../server/create-application.ts';
import { allowHeaders, type CorsSettings } from './cors-settings.ts';
import { receiveBody } from './receive-body.ts';
import { type HttpResponse, type Life, originOf, type Responder } from './responder.ts';
import type { RestSettings } from './rest-options.ts';
import { RestRequest, type RoutedRequest, toInputSource, toOriginForm, toPath } from './rest-request.ts';
import type { ServedOperation } from './served-routes.ts';

export interface RequestHandlerOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly cors: CorsSettings;
  readonly life: Life;
  readonly responder: Responder;
  readonly matchRoute: MatchRoute<ServedOperation>;
  /** The pages that are served besides the capabilities, to GET, by path. */
  readonly pages: ReadonlyMap<string, HttpResponse>;
  /** The headers that capabilities are declared to take, for preflights. */
  readonly allowedHeaders: readonly string[];
}

/** The straight line of one request: head → route → body → context → … → handler → response. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  readonly handle = (exchange: Exchange): void => {
    const { app, settings, responder } = this.#options;
    const { onRequest, onResponse } = app.hooks;
    const request = new RestRequest(exchange, {
      newRequestId: app.newRequestId,
      findCaller: settings.trustProxy,
      startedAtMs: onResponse === undefined ? 0 : performance.now(),
    });
    try {
      onRequest?.(request);
      this.#route(request);
    } catch (thrown) {
      if (request.scope === undefined || request.scope.close()) responder.refuse(request, toFailure(thrown));
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
    const { app, settings, responder } = this.#options;
    const { operation: served, method, path } = route;
    const scope: RequestScope = app.openScope(served.operation.timeoutMs ?? settings.timeoutMs, () =>
      responder.refuse(request, toTimeout(scope.timeoutMs)),
    );
    request.scope = scope;
    request.capability = served.key;
    request.route = path;
    request.routeHeaders = served.headers;
    request.cacheControl = served.cacheControl ?? (method === 'GET' ? settings.cacheControl : undefined);
    const routed: RoutedRequest = { request, served, params, scope };
    if (method === 'GET' || method === 'DELETE') return this.#run(routed, undefined);
    receiveBody(routed, settings, {
      take: (body) => this.#run(routed, body),
      refuse: (reason) => {
        if (scope.close()) responder.refuse(request, reason);
      },
    });
  }

  #run(routed: RoutedRequest, body: Parameters<typeof toInputSource>[1]): void {
    const { app, responder } = this.#options;
    const { request, scope, served } = routed;
    app.execute({ operation: served.operation, request, scope, source: toInputSource(routed, body) }, (outcome) => {
      if (outcome.ok) responder.succeed(request, outcome.value);
      else responder.refuse(request, outcome.failure);
    });
    if (scope.open) request.watchLeave();
  }

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
      const preflight = allowHeaders(cors.preflightHeadersFor(originOf(request)), allowedHeaders);
      responder.send(request, { status: 204, headers: [...preflight, ...allow] });
    } else {
      const kind = match.kind === 'not-found' ? defaultErrors.NotFound : defaultErrors.MethodNotAllowed;
      responder.refuse(request, failure(kind), allow);
    }
  }
}
