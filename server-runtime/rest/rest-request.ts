import type { EndOfCall } from '../capability/after-success.ts';
import type { CallRequest } from '../capability/call-request.ts';
import type { BuilderRequest } from '../capability/context.ts';
import { findRequestId, type RequestScope, resourcesOf } from '../execution/request-scope.ts';
import type { Exchange, RawHeaders } from '../http/exchange.ts';
import type { CallerFinder } from '../http/trust-proxy.ts';

/** An HTTP request as context builders and hooks see it. It has getters, because most requests need none of them. */
export class RestRequest implements BuilderRequest, CallRequest {
  readonly exchange: Exchange;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly requestId: string;
  /** Milliseconds of `performance.now()`; 0 where nobody asks. */
  readonly startedAtMs: number;
  /** Asked for the caller's address where proxies are trusted. */
  findCaller: CallerFinder | undefined = undefined;
  rawBody: Uint8Array | undefined = undefined;
  /** Key of the capability, once a route has matched. */
  capability: string | undefined = undefined;
  /** The path of that route: `/users/:id`. */
  route: string | undefined = undefined;
  /** The headers of the answer, besides those of every one. */
  routeHeaders: RawHeaders | undefined = undefined;
  /** The `Cache-Control` of its answer, unless that is an error; undefined for none. */
  cacheControl: string | undefined = undefined;
  endOfCall: EndOfCall | undefined = undefined;
  /** Set once a route has matched. */
  scope: RequestScope | undefined = undefined;
  #isWatched = false;

  constructor(exchange: Exchange, newRequestId: () => string, startedAtMs: number) {
    const url = toOriginForm(exchange.url);
    this.exchange = exchange;
    this.method = exchange.method;
    this.url = url;
    this.path = toPath(url);
    this.requestId = findRequestId(exchange.headers['x-request-id']) ?? newRequestId();
    this.startedAtMs = startedAtMs;
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
    return this.findCaller === undefined ? this.exchange.remoteAddress : this.findCaller(this.exchange);
  }
  /** Before a route has matched, one that never fires; a new one each time, so that no listeners gather. */
  get signal(): AbortSignal {
    return this.scope?.signal ?? new AbortController().signal;
  }
  /** @throws Error before a route has matched */
  get resources(): BuilderRequest['resources'] {
    return resourcesOf(this.scope);
  }
  /** Without the question mark; empty where there is none. */
  get query(): string {
    return this.url.length === this.path.length ? '' : this.url.slice(this.path.length + 1);
  }

  /** Fires the signal when the caller leaves. Only for requests that are not answered at once. */
  watchLeave(): void {
    const { scope } = this;
    if (this.#isWatched || scope === undefined) return;
    this.#isWatched = true;
    this.exchange.onLeave(() => scope.abort(new DOMException('The caller closed the connection.', 'AbortError')));
  }
}

/** `http://host/path`, as a request to a proxy is written, is `/path`. */
export function toOriginForm(url: string): string {
  if (url.charCodeAt(0) === 47) return url;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

/** Without the query. */
export function toPath(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}
