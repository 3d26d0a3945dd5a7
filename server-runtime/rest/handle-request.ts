import { defaultErrors } from '../errors/default-errors.ts';
import { failure, toFailure } from '../errors/failure.ts';
import type { MaybePromise, Outcome } from '../errors/outcome.ts';
import { matchContentType } from '../input/content-type.ts';
import type { RouteMatch } from '../routing/create-matcher.ts';
import type { Application } from '../server/transport.ts';
import type { Answerer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { type InputParts, readJsonInput, readQueryInput } from './read-input.ts';
import type { RestSettings } from './rest-options.ts';
import { RestRequest } from './rest-request.ts';
import { type ServedOperation, takesBody } from './rest-route.ts';

export interface RequestHandlerOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly answer: Answerer;
  readonly matchRoute: (method: string, path: string) => RouteMatch<ServedOperation>;
  /** False while starting and draining. */
  readonly isOpen: () => boolean;
}

type Matched = Extract<RouteMatch<ServedOperation>, { readonly kind: 'matched' }>;

/**
 * The straight line of one request: head → route → body bytes → [context → guards → input → validation → handler] →
 * answer. What is refused on the way is answered there.
 */
export function toRequestHandler({ app, settings, answer, matchRoute, isOpen }: RequestHandlerOptions): (exchange: Exchange) => void {
  const head = { newRequestId: app.newRequestId };
  const { onRequest, onResponse } = app.hooks;

  function route(request: RestRequest): void {
    if (!isOpen()) return answer.refuse(request, undefined, failure(defaultErrors.ServiceUnavailable), ['connection', 'close']);
    const match = matchRoute(request.method, request.path);
    switch (match.kind) {
      case 'matched':
        return receive(request, match);
      case 'method-not-allowed':
        if (request.method === 'OPTIONS') return answer.preflight(request, match.allow);
        return answer.refuse(request, undefined, failure(defaultErrors.MethodNotAllowed), ['allow', match.allow.join(', ')]);
      case 'not-found':
        if (request.method === 'OPTIONS') return answer.preflight(request, undefined);
        return answer.refuse(request, undefined, failure(defaultErrors.NotFound));
      case 'bad-path':
        return answer.refuse(request, undefined, failure(defaultErrors.BadRequest, 'The percent-encoding of the path cannot be decoded'));
    }
  }

  function receive(request: RestRequest, { route, params }: Matched): void {
    const served = route.operation;
    const { exchange } = request;
    const parts: InputParts = { request, served, params };
    const scope = app.openScope(served.operation.timeoutMs ?? settings.timeoutMs, () => answer.refuse(request, served.key, failure(defaultErrors.Timeout)));
    request.scope = scope;
    const refuse = (kind: Parameters<typeof failure>[0], message: string): void => {
      if (scope.close()) answer.refuse(request, served.key, failure(kind, message));
    };

    if (!takesBody(route)) return run(parts, () => readQueryInput(parts));
    const contentLength = Number(exchange.headers['content-length'] ?? (exchange.headers['transfer-encoding'] === undefined ? 0 : Number.NaN));
    const body = matchContentType(exchange.headers['content-type'] as string | undefined);
    if (body.kind === 'unsupported' && contentLength > 0) return refuse(defaultErrors.UnsupportedMediaType, body.reason);
    const tooLarge = `The request body is larger than ${settings.maxBodySize} bytes`;
    if (contentLength > settings.maxBodySize) return refuse(defaultErrors.PayloadTooLarge, tooLarge);
    exchange.readBytes(settings.maxBodySize, (bytes) => {
      if (!scope.open) return;
      if (bytes === undefined) return refuse(defaultErrors.PayloadTooLarge, tooLarge);
      if (body.kind === 'unsupported' && bytes.length > 0) return refuse(defaultErrors.UnsupportedMediaType, body.reason);
      request.rawBody = bytes;
      run(parts, () => readJsonInput(parts, bytes));
    });
  }

  function run({ request, served }: InputParts, readInput: () => MaybePromise<Outcome>): void {
    const scope = request.scope!;
    app.execute({ operation: served.operation, request, scope, source: { readInput } }, (outcome) => {
      if (outcome.ok) answer.succeed(request, served.key, outcome.value);
      else answer.refuse(request, served.key, outcome.failure);
    });
    if (scope.open) request.exchange.onLeave(() => scope.abort(new DOMException('The client closed the connection.', 'AbortError')));
  }

  return (exchange) => {
    const request = new RestRequest(exchange, { newRequestId: head.newRequestId, startedAtMs: onResponse === undefined ? 0 : performance.now() });
    try {
      onRequest?.(request);
      route(request);
    } catch (thrown) {
      answer.refuse(request, undefined, toFailure(thrown));
    }
  };
}
