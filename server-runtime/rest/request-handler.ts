import type { BuilderRequest } from '../capability/context.ts';
import { defaultErrors } from '../errors/define-error.ts';
import {
  type Failure,
  failure,
  type MaybePromise,
  type Outcome,
  toFailure,
  toTimeout,
} from '../errors/failure.ts';
import { OperationCall, toRequestId } from '../execution/operation-call.ts';
import type { Exchange, RawHeaders } from '../http/exchange.ts';
import type { HttpResponse } from '../http/http-response.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { ServedRoute } from '../server/transport.ts';
import {
  hasTextParams,
  type RestRoute,
  readInput,
  receiveBody,
  refuseChangeByGet,
} from './request-input.ts';
import { Responder, type RestParts } from './responder.ts';

const { BadRequest, Forbidden, MethodNotAllowed, NotFound, ServiceUnavailable } = defaultErrors;

/** An HTTP request as context builders and hooks see it. It has getters, because most requests need none of them. */
export class RestRequest extends OperationCall implements BuilderRequest {
  /** Set with the route, as `params` is. */
  served: RestRoute | undefined = undefined;
  params: PathParams = none;
  /** The way in which the body is read; undefined where the method has none. */
  bodyKind: 'json' | 'form' | 'multipart' | undefined = undefined;
  rawBody: Buffer | undefined = undefined;
  readonly transport = 'rest';
  readonly exchange: Exchange;
  readonly responder: Responder;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The headers of the response, besides those of every one. */
  routeHeaders: RawHeaders = [];
  #isWatched = false;

  constructor(exchange: Exchange, responder: Responder) {
    super();
    this.exchange = exchange;
    this.responder = responder;
    this.method = exchange.method;
    this.url = toOriginForm(exchange.url);
    this.path = toPath(this.url);
    this.requestId = toRequestId(exchange.headers['x-request-id']);
    this.startedAtMs = responder.parts.app.hooks.onResponse === undefined ? 0 : performance.now();
  }

  override readInput(): MaybePromise<Outcome> {
    const { served, params, bodyKind, url, path } = this;
    if (served === undefined) return super.readInput();
    // A path that is all of the input needs no plan.
    const isBare = bodyKind === undefined && url.length === path.length && served.sent.length === 0;
    const isPath = isBare && (served.hasTextParams ??= hasTextParams(served));
    return isPath ? { ok: true, value: { ...params } } : readInput(this, served);
  }
  override onTimeout(): void {
    this.responder.refuse(this, toTimeout(this.timeoutMs));
  }
  addHeader(name: string, value: string): void {
    this.routeHeaders = [...this.routeHeaders, name, value];
  }
  get headers(): BuilderRequest['headers'] {
    return this.exchange.headers;
  }
  get remoteAddress(): string | undefined {
    const { trustProxy } = this.responder.parts.settings;
    return trustProxy === undefined ? this.exchange.remoteAddress : trustProxy(this.exchange);
  }
  get route(): string | undefined {
    return this.served?.path;
  }

  /** Fires the signal when the caller leaves. Only for requests that are not answered at once. */
  watchLeave(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.exchange.onLeave(() =>
      this.abort(new DOMException('The caller closed the connection.', 'AbortError')),
    );
  }
}

const none: PathParams = {};

/** `http://host/path`, as a request to a proxy is written, is `/path`. */
function toOriginForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/?/i, '/');
}

function toPath(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

export interface RequestHandler {
  readonly handle: (exchange: Exchange) => void;
  /** Whether a request is for a capability or a page, or the preflight of one. */
  readonly serves: (method: string, url: string) => boolean;
  /** Ends the async iterables under way. */
  readonly endEvents: () => void;
  readonly routes: readonly ServedRoute[];
}

/** The straight line of one request: head → route → body → context → … → handler → response. */
export function createRequestHandler(parts: RestParts): Omit<RequestHandler, 'routes'> {
  const { app, settings, cors, life, matchRoute, pages } = parts;
  const responder = new Responder(parts);
  // Only under `capix dev`, and not where the code says which origins may ask.
  const allowsOrigin = settings.isOpenByDefault ? findDevLink()?.allowsOrigin : undefined;

  return {
    endEvents: () => responder.endEvents(),
    handle: (exchange) => {
      const request = new RestRequest(exchange, responder);
      const { origin, host } = exchange.headers;
      if (typeof origin === 'string' && allowsOrigin?.(origin, host?.toString()) === false)
        return responder.refuse(request, failure(Forbidden, toForeignOrigin(origin)));
      try {
        app.hooks.onRequest?.(request);
        answer(request);
      } catch (thrown) {
        if (request.close()) responder.refuse(request, toFailure(thrown));
      }
    },
    serves: (method, url) => {
      const path = toPath(toOriginForm(url));
      if (findPage(pages, method, path) !== undefined) return true;
      const { kind } = matchRoute(method, path);
      return kind === 'matched' || (kind === 'method-not-allowed' && method === 'OPTIONS');
    },
  };

  function answer(request: RestRequest): void {
    if (life.phase !== 'open') return responder.refuse(request, failure(ServiceUnavailable));
    const page = findPage(pages, request.method, request.path);
    if (page !== undefined) return servePage(request, page);
    const match = matchRoute(request.method, request.path);
    if (match.kind === 'matched') return receive(request, match.route, match.params);
    if (match.kind === 'bad-path')
      return responder.refuse(
        request,
        failure(BadRequest, 'The percent-encoding of the path cannot be decoded'),
      );
    const allow = match.kind === 'method-not-allowed' ? ['allow', match.allow.join(', ')] : [];
    if (request.method !== 'OPTIONS')
      return responder.refuse(
        request,
        failure(match.kind === 'not-found' ? NotFound : MethodNotAllowed),
        allow,
      );
    const preflight = cors.preflightHeadersFor(request.headers['origin']);
    responder.send(request, { status: 204, headers: [...preflight, ...allow] });
  }

  function servePage(request: RestRequest, page: HttpResponse): void {
    const guards = settings.docs?.guards ?? [];
    if (guards.length === 0) return responder.send(request, page);
    request.timeoutMs = settings.timeoutMs ?? app.timeoutMs;
    request.arm();
    const admit = async (): Promise<void> => {
      try {
        await app.admit(guards, request);
      } finally {
        await request.held?.release().catch(() => {});
      }
    };
    void admit().then(
      () => request.close() && responder.send(request, page),
      (thrown: unknown) => request.close() && responder.refuse(request, toFailure(thrown)),
    );
  }

  function receive(request: RestRequest, route: RestRoute, params: PathParams): void {
    const { operation, method, headers } = route;
    request.served = route;
    request.params = params;
    request.capability = operation.key;
    request.routeHeaders = headers;
    request.timeoutMs = operation.timeoutMs ?? settings.timeoutMs ?? app.timeoutMs;
    if (method === 'GET' && operation.intent !== 'query')
      run(request, operation, refuseChangeByGet(request));
    else if (method === 'GET' || method === 'DELETE') run(request, operation);
    else receiveBody(request, operation, run);
  }

  function run(request: RestRequest, operation: Operation, refusal?: Failure): void {
    if (refusal === undefined) {
      app.execute(operation, request, end);
      if (request.isOpen) request.watchLeave();
    } else if (request.close()) responder.refuse(request, refusal);
  }

  function end(outcome: Outcome, request: RestRequest): void {
    if (outcome.ok) responder.succeed(request, outcome.value);
    else responder.refuse(request, outcome.failure);
  }
}

function toForeignOrigin(origin: string): string {
  const why = `The page of ${JSON.stringify(origin)} is not one of this machine.`;
  return `${why} Name its host in dev.allowedHosts of the settings of capix, or say with the option cors which origins may ask.`;
}

function findPage(
  pages: RestParts['pages'],
  method: string,
  path: string,
): HttpResponse | undefined {
  return pages.size > 0 && (method === 'GET' || method === 'HEAD') ? pages.get(path) : undefined;
}
