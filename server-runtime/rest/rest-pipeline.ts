import { innerPartsOf } from '../capability/enhancer.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Operation } from '../registry/operation.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import type { Route, RouteProblem } from '../routing/route.ts';
import type { Application } from '../server/create-application.ts';
import type { Logger } from '../server/logger.ts';
import { RequestHandler } from './request-handler.ts';
import { type HttpResponse, type Life, Responder, type ResponderOptions } from './responder.ts';
import type { RestSettings } from './rest-options.ts';
import { toCallRoute, toServedRoutes } from './served-routes.ts';

export interface RestPipelineOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly life: Life;
}

/** Everything between a request and its response, compiled for one application. */
export interface RestPipeline {
  readonly handler: RequestHandler;
  readonly responder: Responder;
  readonly routes: readonly Route[];
}

/** @throws Error that names both capabilities where two have one route, and prints an override that solves it */
export async function createRestPipeline({ app, settings, life }: RestPipelineOptions): Promise<RestPipeline> {
  const { registry } = app;
  const { operations } = registry;
  const { routes, problems } = toServedRoutes(operations, settings);
  expectNoProblems(problems, app.logger);
  const cors = settings.cors.exposing(toExposedHeaders(operations, settings.etag !== undefined));
  const responder = new Responder({ app, settings, cors, life, ...(await loadWays(settings)) });
  const pages = settings.docs === undefined ? new Map<string, HttpResponse>() : await toDocsPages(registry, settings);
  const callRoutes = settings.calls ? routes.map((route) => toCallRoute(route, settings.prefix)) : [];
  const matchRoute = createMatcher([...routes, ...callRoutes]);
  const allowedHeaders = toAllowedHeaders(operations, settings.calls);
  const handler = new RequestHandler({ app, settings, cors, life, responder, matchRoute, pages, allowedHeaders });
  return { handler, responder, routes };
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
  return [
    ...new Set([
      ...sent.flatMap(({ in: place, name }) => (place === 'header' ? [name] : [])),
      ...(isKeyed ? [KEY_HEADER] : []),
      // The rest of a stream that broke off is asked for by this header.
      ...(hasStreams ? ['Last-Event-ID'] : []),
    ]),
  ];
}
