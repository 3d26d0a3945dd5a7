import { isUtf8 } from 'node:buffer';
import { parse as parseCookies } from 'cookie';
import { parse as parseQuery } from 'fast-querystring';
import type { BuilderRequest } from '../capability/context.ts';
import type { InputSource } from '../capability/run-capability.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type Outcome } from '../errors/failure.ts';
import { CallOfRequest, findRequestId, type RequestScope } from '../execution/request-scope.ts';
import type { Exchange, RawHeaders } from '../http/exchange.ts';
import type { CallerFinder } from '../http/trust-proxy.ts';
import { addParams, type InputFields, toFieldValue, toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import { parseJsonBody } from '../input/parse-json-body.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import type { Lens } from '../schema/lens.ts';
import type { ServedOperation } from './served-routes.ts';

/** An HTTP request as context builders and hooks see it. It has getters, because most requests need none of them. */
export class RestRequest extends CallOfRequest implements BuilderRequest {
  readonly exchange: Exchange;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly requestId: string;
  /** Milliseconds of `performance.now()`; 0 where nobody asks. */
  readonly startedAtMs: number;
  /** Asked for the caller's address where proxies are trusted. */
  readonly #findCaller: CallerFinder | undefined;
  rawBody: Uint8Array | undefined = undefined;
  /** The path of the route, once one has matched: `/users/:id`. */
  route: string | undefined = undefined;
  /** The headers of the response, besides those of every one. */
  routeHeaders: RawHeaders | undefined = undefined;
  /** The `Cache-Control` of its response, unless that is an error; undefined for none. */
  cacheControl: string | undefined = undefined;
  #isWatched = false;

  constructor(
    exchange: Exchange,
    {
      newRequestId,
      findCaller,
      startedAtMs,
    }: {
      readonly newRequestId: () => string;
      readonly findCaller: CallerFinder | undefined;
      readonly startedAtMs: number;
    },
  ) {
    super();
    const url = toOriginForm(exchange.url);
    this.exchange = exchange;
    this.method = exchange.method;
    this.url = url;
    this.path = toPath(url);
    this.requestId = findRequestId(exchange.headers['x-request-id']) ?? newRequestId();
    this.startedAtMs = startedAtMs;
    this.#findCaller = findCaller;
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
    return this.#findCaller === undefined ? this.exchange.remoteAddress : this.#findCaller(this.exchange);
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
  if (url.startsWith('/')) return url;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

/** Without the query. */
export function toPath(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

/** A request that has its route. */
export interface RoutedRequest {
  readonly request: RestRequest;
  readonly served: ServedOperation;
  readonly params: PathParams;
  readonly scope: RequestScope;
}

/** A body that was received; undefined where the method has none. */
export type ReceivedBody =
  | undefined
  | { readonly kind: 'json' | 'form'; readonly bytes: Buffer }
  | { readonly kind: 'multipart'; readonly limits: MultipartLimits };

/** The input of a request: query or body, what headers and cookies are declared to carry, and the path, which wins. */
export function toInputSource(routed: RoutedRequest, body: ReceivedBody): InputSource {
  if (body?.kind === 'multipart') return { readInput: () => readForm(routed, body.limits) };
  return { readInput: () => addOthers(readFields(routed, body), routed) };
}

function readFields(
  { request, served }: RoutedRequest,
  body: Exclude<ReceivedBody, { kind: 'multipart' }>,
): Outcome<InputFields> {
  if (body?.kind === 'json') return parseJsonBody(body.bytes);
  if (body !== undefined && !isUtf8(body.bytes))
    return { ok: false, failure: failure(defaultErrors.BadRequest, 'The request body is not valid UTF-8') };
  const text = body === undefined ? request.url.slice(request.path.length + 1) : body.bytes.toString();
  return { ok: true, value: text === '' ? {} : toInputFields(parseQuery(text), planOf(served)) };
}

/** The parser is loaded with the first form. */
async function readForm(routed: RoutedRequest, limits: MultipartLimits): Promise<Outcome> {
  const { readMultipartBody } = await import('../input/read-multipart-body.ts');
  const { body, headers } = routed.request.exchange;
  const contentType = String(headers['content-type']);
  return addOthers(await readMultipartBody({ body, contentType, limits, plan: planOf(routed.served) }), routed);
}

function addOthers(input: Outcome<InputFields>, { request, served, params }: RoutedRequest): Outcome<InputFields> {
  if (!input.ok) return input;
  if (served.sent.length > 0) addSentFields(input.value, request, served);
  addParams(input.value, params, () => planOf(served));
  return input;
}

/** Many capabilities of a server are not called in its first minutes, and a plan takes longer to make than a route. */
function planOf(served: ServedOperation): Lens {
  return (served.plan ??= toInputPlan(served.operation.definition.schema));
}

/** Fields that a header or a cookie carries come from there alone. */
function addSentFields(input: InputFields, { headers }: RestRequest, served: ServedOperation): void {
  // Of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4).
  const cookies = parseCookies(headers.cookie ?? '');
  for (const { field, in: place, name } of served.sent) {
    delete input[field];
    const header = headers[name];
    const text =
      place === 'cookie'
        ? cookies[name]?.replace(/^"(.*)"$/, '$1')
        : Array.isArray(header)
          ? header.join(', ')
          : header;
    if (text === undefined) continue;
    const lens = planOf(served).inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? text.split(',').map((item) => item.trim()) : [text]);
  }
}
