import { toDeprecationHeaders } from '../capability/http.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Operation } from '../registry/operation.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import { type PathPattern, parsePathPattern } from '../routing/path-pattern.ts';
import type { Route } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import type { Application } from '../server/create-application.ts';
import type { HeaderNames } from './cors-settings.ts';
import { createRequestHandler, type RequestHandler } from './request-handler.ts';
import type { RestRoute } from './request-input.ts';
import type { HttpResponse, RestParts } from './responder.ts';
import type { RestSettings } from './rest-options.ts';

/**
 * Makes everything between a request and its response. Rejects with an error that names both capabilities where two
 * have one route, and prints an override that solves it.
 */
export async function createRestPipeline(
  app: Application,
  settings: RestSettings,
  life: RestParts['life'],
): Promise<RequestHandler> {
  const { operations } = app.registry;
  const { routes: firsts, others, problems } = toRouteTable(operations, settings);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  for (const { kind, message } of problems) if (kind !== 'name-says-more') app.logger.warn(`[capix] ${message}`);

  const routes = [...firsts, ...others];
  const callRoutes = settings.calls ? firsts.map((route) => toCallRoute(route, settings.prefix)) : [];
  const isPrepared = settings.etag || settings.compression;
  const handler = createRequestHandler({
    app,
    settings,
    life,
    cors: settings.cors(toHeaderNames(operations, settings)),
    matchRoute: createMatcher([...routes.map(toRestRoute), ...callRoutes]),
    // What compresses, compares, flattens and documents is loaded only where it is turned on.
    pages: await toDocsPages(app.registry, settings),
    prepare: isPrepared ? (await import('./prepare-response.ts')).createPreparation(settings) : undefined,
    calls: settings.calls ? (await import('./call-format.ts')).callFormat : undefined,
  });
  return { ...handler, routes: routes.map(({ method, path, operation }) => ({ method, path, key: operation.key })) };
}

function toRestRoute(route: Route<Operation>): RestRoute {
  const { sent, deprecation } = route.operation.definition;
  const headers = toDeprecationHeaders(deprecation);
  return { ...route, sent, headers, plan: undefined, hasTextParams: undefined };
}

/** The way to a capability by its key, which no name gives: `POST /_call/users.getUser`, behind the prefix. */
function toCallRoute(route: Route<Operation>, prefix: string): RestRoute {
  const pattern = parsePathPattern(`${prefix}/_call/${route.operation.key}`) as PathPattern;
  return { ...toRestRoute({ ...route, ...pattern, method: 'POST' }), sent: [] };
}

/** The document and the page to read it, where `docs` is on. */
async function toDocsPages(registry: CompiledRegistry, settings: RestSettings): Promise<Map<string, HttpResponse>> {
  const { docs, prefix } = settings;
  if (docs === undefined) return new Map();
  const { generateOpenAPI } = await import('../openapi/generate-openapi.ts');
  const { toReferencePage } = await import('../openapi/html-page.ts');
  const { urlCase, overrides, envelope, etag } = settings;
  const document = generateOpenAPI(registry, { ...docs, urlCase, overrides, prefix, envelope, etag });
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

/** The headers that a page of another origin may read and send by default: those that operations send and take. */
function toHeaderNames(operations: readonly Operation[], { etag, calls }: RestSettings): HeaderNames {
  const exposed = new Set(etag ? ['ETag'] : []);
  const allowed = new Set<string>();
  for (const operation of operations) {
    const { answers, enhancers, errors, sent } = operation.definition;
    if (answers.some(({ kind }) => kind === 'redirect')) exposed.add('Location');
    for (const { headers = {} } of [...answers, ...enhancers])
      Object.keys(headers).forEach((name) => exposed.add(name));
    if (enhancers.some(({ kind }) => kind === 'idempotency')) exposed.add('Idempotency-Replayed');
    const all = [...errors, ...enhancers.flatMap((each) => each.errors)];
    if (all.some(({ status }) => status === 429 || status === 503)) exposed.add('Retry-After');
    for (const { in: place, name } of sent) if (place === 'header') allowed.add(name);
    // A client that tries again sends a key with its calls.
    if (calls || findKeyRule(operation) !== undefined) allowed.add(KEY_HEADER);
    // The rest of a stream that broke off is asked for by this header.
    if (answers.some(({ kind }) => kind === 'stream')) allowed.add('Last-Event-ID');
  }
  return { exposed: [...exposed], allowed: [...allowed] };
}
