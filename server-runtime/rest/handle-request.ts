import type { InputSource } from '../capability/run-capability.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, toFailure } from '../errors/failure.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import { type BodyKind, matchContentType } from '../input/content-type.ts';
import type { RouteMatch } from '../routing/create-matcher.ts';
import type { Application } from '../server/transport.ts';
import type { Answerer } from './answer.ts';
import type { Exchange, RawHeaders } from './exchange.ts';
import { type InputParts, readFormInput, readJsonInput, readQueryInput } from './read-input.ts';
import type { RestSettings } from './rest-options.ts';
import { RestRequest } from './rest-request.ts';
import { type ServedOperation, takesBody } from './rest-route.ts';

/** Something besides the capabilities that is served at a path of its own, to GET. */
export interface Page {
  readonly headers: RawHeaders;
  readonly body: string;
}

export interface RequestHandlerOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly answer: Answerer;
  readonly matchRoute: (method: string, path: string) => RouteMatch<ServedOperation>;
  /** By path. */
  readonly pages: ReadonlyMap<string, Page>;
  /** False while starting and draining. */
  readonly isOpen: () => boolean;
}

type Matched = Extract<RouteMatch<ServedOperation>, { readonly kind: 'matched' }>;

/**
 * The straight line of one request: head → route → bytes of the body → [context → guards → input → validation → handler]
 * → answer. What is refused on the way is answered there.
 */
export function toRequestHandler({
  app,
  settings,
  answer,
  matchRoute,
  pages,
  isOpen,
}: RequestHandlerOptions): (exchange: Exchange) => void {
  const { onRequest, onResponse } = app.hooks;
  const { maxBodySize, multipart } = settings;

  return (exchange) => {
    const request = new RestRequest(exchange, app.newRequestId, onResponse === undefined ? 0 : performance.now());
    try {
      onRequest?.(request);
      route(request);
    } catch (thrown) {
      if (request.scope === undefined || request.scope.close()) answer.refuse(request, toFailure(thrown));
    }
  };

  function route(request: RestRequest): void {
    if (!isOpen()) {
      request.exchange.endsConnection = true;
      return answer.refuse(request, failure(defaultErrors.ServiceUnavailable));
    }
    const page = pages.size === 0 ? undefined : pages.get(request.path);
    if (page !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
      return answer.serve(request, page.headers, page.body);
    const match = matchRoute(request.method, request.path);
    switch (match.kind) {
      case 'matched':
        return receive(request, match);
      case 'method-not-allowed':
        if (request.method === 'OPTIONS') return answer.preflight(request, match.allow);
        return answer.refuse(request, failure(defaultErrors.MethodNotAllowed), ['allow', match.allow.join(', ')]);
      case 'not-found':
        if (request.method === 'OPTIONS') return answer.preflight(request, undefined);
        return answer.refuse(request, failure(defaultErrors.NotFound));
      case 'bad-path':
        return answer.refuse(
          request,
          failure(defaultErrors.BadRequest, 'The percent-encoding of the path cannot be decoded'),
        );
    }
  }

  function receive(request: RestRequest, { route: { operation: served, method }, params }: Matched): void {
    const { timeoutMs } = served.operation;
    const scope = app.openScope(timeoutMs ?? settings.timeoutMs, () =>
      answer.refuse(request, failure(defaultErrors.Timeout)),
    );
    const parts: InputParts = { request, served, params };
    request.scope = scope;
    request.capability = served.key;
    if (takesBody(method)) receiveBody(parts, scope);
    else run(parts, scope, { readInput: () => readQueryInput(parts) });
  }

  /** The type and size of a body are checked before anything runs; a form is read later, once the guards have passed. */
  function receiveBody(parts: InputParts, scope: RequestScope): void {
    const { request } = parts;
    const { exchange } = request;
    const length = exchange.bodyLength;
    if (length === 0) return run(parts, scope, { readInput: () => readJsonInput(parts, noBytes) });

    const type = exchange.headers['content-type'] as string | undefined;
    const body = matchContentType(type, exchange.headers['content-encoding'] as string | undefined);
    if (body.kind === 'multipart' && multipart !== undefined) {
      return run(parts, scope, { readInput: () => readFormInput(parts, multipart) });
    }
    // A body that cannot be read may still be an empty one.
    const maxBytes = body.kind === 'json' ? maxBodySize : 0;
    const refuse = (): void => {
      if (scope.close()) answer.refuse(request, toBodyFailure(body, maxBodySize));
    };
    if (length > maxBytes) return refuse();
    request.watchLeave();
    exchange.readBytes(maxBytes, (bytes) => {
      if (bytes === undefined) return refuse();
      if (!scope.open) return;
      request.rawBody = bytes;
      run(parts, scope, { readInput: () => readJsonInput(parts, bytes) });
    });
  }

  function run({ request, served }: InputParts, scope: RequestScope, source: InputSource): void {
    app.execute({ operation: served.operation, request, scope, source }, (outcome) => {
      if (outcome.ok) answer.succeed(request, outcome.value);
      else answer.refuse(request, outcome.failure);
    });
    if (scope.open) request.watchLeave();
  }
}

const noBytes = Buffer.alloc(0);

function toBodyFailure(body: BodyKind, maxBodySize: number): Failure {
  switch (body.kind) {
    case 'json':
      return failure(defaultErrors.PayloadTooLarge, `The request body is larger than ${maxBodySize} bytes`);
    case 'multipart':
      return failure(defaultErrors.UnsupportedMediaType, 'Forms are not accepted here; send application/json');
    case 'unsupported':
      return failure(defaultErrors.UnsupportedMediaType, body.reason);
  }
}
