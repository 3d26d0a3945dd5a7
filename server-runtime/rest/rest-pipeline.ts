import { innerPartsOf } from '../capability/enhancer.ts';
import { type SentField, toDeprecationHeaders } from '../capability/http.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { RawHeaders } from '../http/exchange.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Operation } from '../registry/operation.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import type { Route, RoutedOperation, RouteProblem } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import type { Lens } from '../schema/lens.ts';
import type { Logger } from '../server/logger.ts';
import type { ServedRoute } from '../server/transport.ts';
import { RequestHandler } from './request-handler.ts';
import { type HttpResponse, Responder, type ResponderOptions, type RestParts } from './responder.ts';
import type { RestSettings } from './rest-options.ts';

/** An operation as the transport serves it. */
export interface ServedOperation extends RoutedOperation {
  readonly operation: Operation;
  /** The plan by which query, path and form become values; the first request makes it. */
  plan: Lens | undefined;
  /** The parameters of all its paths. */
  params: readonly string[];
  /** Whether they are texts in the input, too; the first request finds it. */
  hasTextParams: boolean | undefined;
  /** The fields that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** The headers of every response, besides; undefined where there are none. */
  readonly headers: RawHeaders | undefined;
}

/** Everything between a request and its response, compiled for one application. */
export interface RestPipeline {
  readonly handler: RequestHandler;
  readonly responder: Responder;
  readonly routes: readonly ServedRoute[];
}

/** @throws Error that names both capabilities where two have one route, and prints an override that solves it */
export async function createRestPipeline({ app, settings, life }: RestParts): Promise<RestPipeline> {
  const { operations } = app.registry;
  const table = toRouteTable(operations.map(toServed), settings);
  expectNoProblems(table.problems, app.logger);
  const routes = [...table.routes, ...table.others];
  for (const { operation, params } of routes) operation.params = [...operation.params, ...params];
  const cors = settings.cors.exposing(toExposedHeaders(operations, settings.etag !== undefined));
  const responder = new Responder({ app, settings, cors, life, ...(await loadWays(settings)) });
  const pages =
    settings.docs === undefined ? new Map<string, HttpResponse>() : await toDocsPages(app.registry, settings);
  const callRoutes = settings.calls ? routes.map((route) => toCallRoute(route, settings.prefix)) : [];
  const matchRoute = createMatcher([...routes, ...callRoutes]);
  const allowedHeaders = toAllowedHeaders(operations, settings.calls);
  const handler = new RequestHandler({ app, settings, cors, life, responder, matchRoute, pages, allowedHeaders });
  const told = routes.map(({ method, path, operation }) => ({ method, path, key: operation.key }));
  return { handler, responder, routes: told };
}

function toServed(operation: Operation): ServedOperation {
  const { key, groups, groupPaths, name, hasId, declaredIntent, declaredRoutes, definition } = operation;
  const headers = toDeprecationHeaders(definition.deprecation);
  const named = { key, groups, groupPaths, name, hasId, declaredIntent, declaredRoutes, operation };
  return {
    ...named,
    plan: undefined,
    params: [],
    hasTextParams: undefined,
    sent: definition.request.sent,
    headers: headers.length === 0 ? undefined : headers,
  };
}

/** The way to a capability by its key, which no name gives: `POST /_call/users.getUser`, behind the prefix. */
function toCallRoute(route: Route<ServedOperation>, prefix: string): Route<ServedOperation> {
  const path = `${prefix}/_call/${route.operation.key}`;
  const segments = path.split('/').filter(Boolean);
  return {
    ...route,
    operation: { ...route.operation, sent: [] },
    method: 'POST',
    path,
    segments: segments.map((text) => ({ static: text })),
    params: [],
  };
}

/** The document and the page to read it. What writes them is loaded only where `docs` is on. */
async function toDocsPages(registry: CompiledRegistry, settings: RestSettings): Promise<Map<string, HttpResponse>> {
  const [{ generateOpenAPI }, { toReferencePage }] = await Promise.all([
    import('../openapi/generate-openapi.ts'),
    import('../openapi/html-page.ts'),
  ]);
  const { docs, urlCase, overrides, prefix, envelope, cacheControl, etag } = settings;
  const document = generateOpenAPI(registry, { ...docs, urlCase, overrides, prefix, envelope, etag, cacheControl });
  const json = ['content-type', 'application/json; charset=utf-8'];
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const html = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  return new Map<string, HttpResponse>([
    [`${prefix}/openapi.json`, { headers: json, body: JSON.stringify(document) }],
    [`${prefix}/docs`, { headers: html, body: toReferencePage(document, registry.operations) }],
    // The page names the document as beside it, so that it stands behind any prefix of a proxy.
    [`${prefix}/docs/`, { status: 308, headers: ['location', '../docs'], body: '' }],
  ]);
}

/** Loads what compresses and compares, and what writes calls by key, only where they are turned on. */
async function loadWays(settings: RestSettings): Promise<Pick<ResponderOptions, 'prepare' | 'calls'>> {
  const { etag, compression, calls } = settings;
  const isPrepared = etag !== undefined || compression !== undefined;
  const prepare = isPrepared ? (await import('./prepare-response.ts')).createPreparation(settings) : undefined;
  return { prepare, calls: calls ? (await import('./call-format.ts')).callFormat : undefined };
}

function expectNoProblems(problems: readonly RouteProblem[], logger: Logger): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  for (const { kind, message } of problems)
    if (kind === 'unknown-override' || kind === 'intent-contradiction') logger.warn(`[capix] ${message}`);
}

/** The headers of responses that a page of another origin may read by default: those that operations send. */
function toExposedHeaders(operations: readonly Operation[], isTagged: boolean): readonly string[] {
  const names = operations.flatMap(({ definition: { answers, enhancers, errors } }) => {
    const inner = enhancers.map(innerPartsOf);
    const all = [...errors, ...enhancers.flatMap((each) => each.errors)];
    return [
      ...answers.flatMap(({ kind, headers }) => [
        ...(kind === 'redirect' ? ['Location'] : []),
        ...Object.keys(headers),
      ]),
      ...inner.flatMap(({ headers = {} }) => Object.keys(headers)),
      ...(inner.some(({ kind }) => kind === 'idempotency') ? ['Idempotency-Replayed'] : []),
      ...(all.some(({ status }) => status === 429 || status === 503) ? ['Retry-After'] : []),
    ];
  });
  const all = isTagged ? ['ETag', ...names] : names;
  return [...new Map(all.map((name) => [name.toLowerCase(), name])).values()];
}

/** The headers that a page of another origin may send by default: those that operations take. */
function toAllowedHeaders(operations: readonly Operation[], takesCalls: boolean): readonly string[] {
  const sent = operations.flatMap(({ definition }) => definition.request.sent);
  // `retry` of `capix/client` sends a key with every call.
  const isKeyed = takesCalls || operations.some((each) => findKeyRule(each) !== undefined);
  const hasStreams = operations.some(({ definition: { answers } }) => answers.some(({ kind }) => kind === 'stream'));
  const names = [
    ...sent.flatMap(({ in: place, name }) => (place === 'header' ? [name] : [])),
    ...(isKeyed ? [KEY_HEADER] : []),
    // The rest of a stream that broke off is asked for by this header.
    ...(hasStreams ? ['Last-Event-ID'] : []),
  ];
  return [...new Set(names)];
}
