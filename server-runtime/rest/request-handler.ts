import type { BuilderRequest } from '../capability/context.ts';
import { findDeclaredSecrets } from '../capability/secrets.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, toFailure } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { BodyPlan } from '../http/body-plan.ts';
import type { Exchange } from '../http/exchange.ts';
import type { DoorRequest, HttpDoor, ItemFormat } from '../http/http-door.ts';
import type { HttpResponse } from '../http/http-response.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { ItemSource } from '../resources/item-source.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import { toShownMountPath, toShownPath } from '../routing/shown-path.ts';
import { createSecretCheck } from '../schema/secret-names.ts';
import { Call, openCall, runCall } from '../server/call.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { ServedRoute } from '../server/transport.ts';
import { findMount, type Mount, sendPreflight, takeMounted } from './mounted.ts';
import {
  type BegunInput,
  type RestRoute,
  receiveBody,
  receiveJson,
  refuseChangeByGet,
} from './request-input.ts';
import { Responder, type RestParts } from './responder.ts';
import type { RestSettings } from './rest-options.ts';

const { BadRequest, Forbidden, MethodNotAllowed, NotFound, ServiceUnavailable } = defaultErrors;

/** An HTTP request as context builders and hooks see it. It has getters, because most requests need none of them. */
export class RestRequest extends Call implements DoorRequest {
  /** Set with the route, as `params` is. */
  served: RestRoute | undefined = undefined;
  params: PathParams = none;
  /** The handler that answers in place of a capability. */
  mount: Mount | undefined = undefined;
  /** The way in which the body is read; undefined where the method has none. */
  bodyKind: BodyPlan['kind'] | undefined = undefined;
  rawBody: Buffer | undefined = undefined;
  /** Set where a guard needed a part of the body. */
  begun: BegunInput | undefined = undefined;
  /** Set with the first call of its door. */
  context: MaybePromise<object> | undefined = undefined;
  /** The door that answers it, in place of a capability. */
  readonly door: HttpDoor | undefined;
  readonly exchange: Exchange;
  readonly responder: Responder;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly requestId: string;
  #isWatched = false;

  constructor(exchange: Exchange, responder: Responder) {
    super(responder.parts.app, responder);
    this.exchange = exchange;
    this.responder = responder;
    this.method = exchange.method;
    this.url = toOriginForm(exchange.url);
    this.path = toPath(this.url);
    const { doors } = responder.parts;
    this.door = doors.size === 0 ? undefined : doors.get(this.path);
    this.requestId = responder.parts.app.toRequestId(exchange.headers['x-request-id']);
  }

  /** The envelope may have another status and name for it, which hooks see too. */
  override refuse(reason: Failure): void {
    super.refuse(this.responder.toAnswered(this, reason));
  }
  get transport(): string {
    return this.door?.transport ?? 'rest';
  }
  get headers(): BuilderRequest['headers'] {
    return this.exchange.headers;
  }
  get remoteAddress(): string | undefined {
    const { trustProxy } = this.responder.parts.settings;
    return trustProxy === undefined ? this.exchange.remoteAddress : trustProxy(this.exchange);
  }
  get route(): string | undefined {
    return this.served?.path ?? this.mount?.name;
  }
  override get shownPath(): string {
    const { served, path, mount } = this;
    if (mount !== undefined) return toShownMountPath(path);
    if (served === undefined || served.params.length === 0) return path;
    const { definition } = served.operation;
    served.isSecret ??= createSecretCheck(findDeclaredSecrets(definition));
    return toShownPath(path, served.path, { isSecret: served.isSecret });
  }

  /** Abandons the call when its caller leaves. Only for requests that are not answered at once. */
  watchLeave(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.exchange.onLeave(() => this.abandon());
  }

  takeJson(onBody: (bytes: Buffer) => void): void {
    const { settings, app } = this.responder.parts;
    this.timeoutMs = settings.timeoutMs ?? app.timeoutMs;
    receiveJson(this, (bytes) => {
      this.disarm();
      this.rawBody = bytes;
      onBody(bytes);
    });
  }

  send(response: HttpResponse): void {
    this.responder.send(this, response);
  }

  sendItems(items: ItemSource, format: ItemFormat): Promise<void> {
    return this.responder.items.sendFormatted(this, items, format);
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
  const { app, settings, life, matchRoute, pages } = parts;
  const { mounts } = settings;
  const responder = new Responder(parts);
  // This happens only under `capix dev`, and not where the code declares its origins.
  const allowsOrigin = settings.isOpenByDefault ? findDevLink()?.allowsOrigin : undefined;

  return {
    endEvents: () => responder.items.endAll(),
    handle: (exchange) => {
      const request = new RestRequest(exchange, responder);
      const foreign = allowsOrigin && findForeignOrigin(exchange, allowsOrigin);
      if (foreign !== undefined)
        return request.refuse(failure(Forbidden, toForeignOrigin(foreign)));
      try {
        openCall(request);
        answer(request);
      } catch (thrown) {
        if (request.isOpen) request.refuse(toFailure(thrown));
      }
    },
    serves: (method, url) => {
      const path = toPath(toOriginForm(url));
      if (findPage(pages, method, path) !== undefined || parts.doors.has(path)) return true;
      if (findMount(mounts, path) !== undefined) return true;
      const { kind } = matchRoute(method, path);
      return kind === 'matched' || (kind === 'method-not-allowed' && method === 'OPTIONS');
    },
  };

  function answer(request: RestRequest): void {
    if (life.phase !== 'open') return request.refuse(failure(ServiceUnavailable));
    const { door } = request;
    if (door !== undefined) {
      if (request.method !== 'OPTIONS') return door.answer(request);
      request.addHeader('allow', door.allow);
      return sendPreflight(request);
    }
    const page = findPage(pages, request.method, request.path);
    if (page !== undefined) return servePage(request, page);
    if (mounts.length > 0 && takeMounted(request, mounts)) return;
    const match = matchRoute(request.method, request.path);
    if (match.kind === 'matched') return receive(request, match.route, match.params);
    if (match.kind === 'bad-path')
      return request.refuse(
        failure(BadRequest, 'The percent-encoding of the path cannot be decoded'),
      );
    if (match.kind === 'method-not-allowed') request.addHeader('allow', match.allow.join(', '));
    if (request.method !== 'OPTIONS')
      return request.refuse(
        match.kind === 'not-found' ? toNotFound(request.path, settings) : failure(MethodNotAllowed),
      );
    sendPreflight(request);
  }

  function servePage(request: RestRequest, page: HttpResponse): void {
    const guards = settings.docs?.guards ?? [];
    if (guards.length === 0) return responder.send(request, page);
    request.timeoutMs = settings.timeoutMs ?? app.timeoutMs;
    request.arm();
    const admit = async (): Promise<void> => {
      try {
        await app.admit(guards, request);
        await request.release();
        if (!request.isOpen) return;
        responder.send(request, page);
        request.close();
      } catch (thrown) {
        request.fail(app.toFailure(thrown));
      }
    };
    void admit();
  }

  function receive(request: RestRequest, route: RestRoute, params: PathParams): void {
    const { operation, method, headers } = route;
    request.served = route;
    request.params = params;
    request.capability = operation.key;
    request.addedHeaders = headers;
    request.timeoutMs = operation.timeoutMs ?? settings.timeoutMs ?? app.timeoutMs;
    if (method === 'GET' && operation.intent !== 'query')
      run(request, operation, refuseChangeByGet(request));
    else if (method === 'GET' || method === 'DELETE') run(request, operation);
    else receiveBody(request, operation, run);
  }

  function run(request: RestRequest, operation: Operation, refusal?: Failure): void {
    if (refusal === undefined) {
      runCall(request, operation);
      if (request.isOpen) request.watchLeave();
    } else if (request.isOpen) request.refuse(refusal);
  }
}

/** A client that calls by key where that is off, or without the prefix, would take a plain 404 for a missing record. */
function toNotFound(path: string, { prefix, calls }: RestSettings): Failure {
  if (!path.includes('/_call/')) return failure(NotFound);
  if (!calls)
    return failure(
      NotFound,
      'This server takes no calls by key, as a client of its types makes: restTransport({ calls: true }).',
    );
  if (prefix === '') return failure(NotFound);
  const text = `There are no calls here: they are at ${prefix}/_call/…. Does baseUrl end in ${prefix}?`;
  return failure(NotFound, text);
}

/** The origin of a page that may not ask; undefined where no page asks, or one that may. */
function findForeignOrigin(
  { headers: { origin, host } }: Exchange,
  allowsOrigin: (origin: string, host: string | undefined) => boolean,
): string | undefined {
  if (typeof origin !== 'string') return undefined;
  return allowsOrigin(origin, host?.toString()) ? undefined : origin;
}

function toForeignOrigin(origin: string): string {
  const why = `The page of ${JSON.stringify(origin)} is not one of this machine.`;
  const settings = 'Name its host in dev.allowedHosts of the settings of capix';
  return `${why} ${settings}, or say with the option cors which origins may ask.`;
}

function findPage(
  pages: RestParts['pages'],
  method: string,
  path: string,
): HttpResponse | undefined {
  return pages.size > 0 && (method === 'GET' || method === 'HEAD') ? pages.get(path) : undefined;
}
