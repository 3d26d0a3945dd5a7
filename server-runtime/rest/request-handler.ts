import type { InputSource } from '../capability/run-capability.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, toFailure, toTimeout } from '../errors/failure.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RouteMatch } from '../routing/create-matcher.ts';
import type { Application } from '../server/application.ts';
import type { Answerer, Page } from './answerer.ts';
import { type InputParts, toQueryInput } from './input-parts.ts';
import { type BodyReceiver, receiveBody } from './receive-body.ts';
import type { RestSettings } from './rest-options.ts';
import { RestRequest, toOriginForm, toPath } from './rest-request.ts';
import type { Phase } from './sender.ts';
import { type ServedOperation, takesBody } from './served-routes.ts';

export interface RequestHandlerOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly answer: Answerer;
  readonly matchRoute: (method: string, path: string) => RouteMatch<ServedOperation>;
  /** The pages by path. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly phase: () => Phase;
}

export interface RequestHandler {
  readonly handle: (exchange: Exchange) => void;
  /** Whether a request is for a capability or a page, or the preflight of one. */
  readonly serves: (method: string, url: string) => boolean;
}

type Matched = Extract<RouteMatch<ServedOperation>, { readonly kind: 'matched' }>;

/**
 * The straight line of one request: head → route → bytes of the body → [context → guards → input → validation →
 * handler] → answer. What is refused on the way is answered there.
 */
export function createRequestHandler({
  app,
  settings,
  answer,
  matchRoute,
  pages,
  phase,
}: RequestHandlerOptions): RequestHandler {
  const { onRequest, onResponse } = app.hooks;
  const bodies: BodyReceiver = { settings, run, refuse: (request, reason) => answer.refuse(request, reason) };

  const handle: RequestHandler['handle'] = (exchange) => {
    const request = new RestRequest(exchange, app.newRequestId, onResponse === undefined ? 0 : performance.now());
    request.findCaller = settings.findCaller;
    try {
      onRequest?.(request);
      route(request);
    } catch (thrown) {
      if (request.scope === undefined || request.scope.close()) answer.refuse(request, toFailure(thrown));
    }
  };

  const serves: RequestHandler['serves'] = (method, url) => {
    const path = toPath(toOriginForm(url));
    if (findPage(pages, method, path) !== undefined) return true;
    const { kind } = matchRoute(method, path);
    return kind === 'matched' || (kind === 'method-not-allowed' && method === 'OPTIONS');
  };

  return { handle, serves };

  function route(request: RestRequest): void {
    if (phase() !== 'open') return answer.refuse(request, refuseForGood(request));
    if (settings.limits.isFull?.() === true) return answer.refuse(request, refuseForNow());
    const page = findPage(pages, request.method, request.path);
    if (page !== undefined) return answer.serve(request, page);
    const match = matchRoute(request.method, request.path);
    if (match.kind === 'matched') receive(request, match);
    else answerUnmatched(request, match, answer);
  }

  function receive(request: RestRequest, { route: { operation: served, method, path }, params }: Matched): void {
    const scope: RequestScope = app.openScope(served.operation.timeoutMs ?? settings.timeoutMs, () =>
      answer.refuse(request, toTimeout(scope.timeoutMs)),
    );
    const parts: InputParts = { request, served, params };
    request.scope = scope;
    request.capability = served.key;
    request.route = path;
    request.routeHeaders = served.headers;
    request.cacheControl = served.cacheControl ?? (method === 'GET' ? settings.cacheControl : undefined);
    if (takesBody(method)) receiveBody(parts, scope, bodies);
    else run(parts, scope, { readInput: () => toQueryInput(parts) });
  }

  function run({ request, served }: InputParts, scope: RequestScope, source: InputSource): void {
    app.execute({ operation: served.operation, request, scope, source }, (outcome) => {
      if (outcome.ok) answer.succeed(request, outcome.value);
      else answer.refuse(request, outcome.failure);
    });
    if (scope.open) request.watchLeave();
  }
}

/** While the server starts and drains: the caller had better ask another one. */
function refuseForGood(request: RestRequest): Failure {
  request.exchange.endsConnection = true;
  return failure(defaultErrors.ServiceUnavailable);
}

function refuseForNow(): Failure {
  const busy = failure(defaultErrors.ServiceUnavailable, 'Too many requests at once; try again in 1 s');
  return { ...busy, retryAfterSeconds: 1 };
}

function findPage(pages: ReadonlyMap<string, Page>, method: string, path: string): Page | undefined {
  return pages.size > 0 && (method === 'GET' || method === 'HEAD') ? pages.get(path) : undefined;
}

function answerUnmatched(
  request: RestRequest,
  match: Exclude<RouteMatch<ServedOperation>, { kind: 'matched' }>,
  answer: Answerer,
): void {
  const isPreflight = request.method === 'OPTIONS';
  switch (match.kind) {
    case 'method-not-allowed':
      if (isPreflight) return answer.preflight(request, match.allow);
      return answer.refuse(request, failure(defaultErrors.MethodNotAllowed), ['allow', match.allow.join(', ')]);
    case 'not-found':
      if (isPreflight) return answer.preflight(request, undefined);
      return answer.refuse(request, failure(defaultErrors.NotFound));
    case 'bad-path':
      return answer.refuse(
        request,
        failure(defaultErrors.BadRequest, 'The percent-encoding of the path cannot be decoded'),
      );
  }
}
