import {
  findNameless,
  findWholeBody,
  toDeprecationHeaders,
  type WholeBody,
} from '../capability/http.ts';
import { createBodyMatcher } from '../http/body-plan.ts';
import { type Cors, toHeaderNames } from '../http/cors.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { openDoors } from '../http/http-door.ts';
import { type HttpResponse, JSON_TYPE } from '../http/http-response.ts';
import { admitsPage } from '../http/origin.ts';
import { isProgress } from '../input/sent-fields.ts';
import type { CompiledRegistry, Operation } from '../registry/compile-registry.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import { type PathPattern, parsePathPattern } from '../routing/path-pattern.ts';
import type { Route } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import type { Application } from '../server/application.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Guests, HostFacts } from '../server/guests.ts';
import { findMountFaults } from './mounted.ts';
import { createRequestHandler, type RequestHandler } from './request-handler.ts';
import type { RestRoute } from './request-input.ts';
import type { RestParts } from './responder.ts';
import type { RestSettings } from './rest-options.ts';

/** The guests as this host asks them. While the server starts or stops, their connections end with their responses. */
export function toGuestsHere(
  { take, upgrade }: Guests,
  host: HostFacts,
  life: RestParts['life'],
): Pick<Guests, 'take' | 'upgrade'> {
  return {
    take:
      take &&
      ((request, response) => {
        if (life.phase !== 'open') response.shouldKeepAlive = false;
        return take(request, response, host);
      }),
    upgrade: upgrade && ((request) => upgrade(request, host)),
  };
}

/** The facts about this host that its guests get. */
export function toHostFacts(
  { prefix, trustProxy, isOpenByDefault }: RestSettings,
  findCors: () => Cors,
): HostFacts {
  // This happens only under `capix dev`, and not where the code declares its origins.
  const allowsOrigin = isOpenByDefault ? findDevLink()?.allowsOrigin : undefined;
  return {
    prefix,
    admitsPage: ({ headers }) =>
      (headers.origin === undefined || allowsOrigin?.(headers.origin, headers.host) !== false) &&
      admitsPage(headers, findCors()),
    findAddress: ({ socket: { remoteAddress }, headers }) =>
      trustProxy === undefined ? remoteAddress : trustProxy({ remoteAddress, headers }),
  };
}

interface PipelineParts extends Pick<RestParts, 'settings' | 'life'> {
  /** The transports without a port, of which the document tells. */
  readonly guests: Guests;
}

/** Makes everything between a request and its response. Rejects where two capabilities have one route, for example. */
export async function createRestPipeline(
  app: Application,
  { settings, life, guests }: PipelineParts,
): Promise<RequestHandler & { readonly host: HostFacts }> {
  const { operations } = app.registry;
  const { mounts, prefix, docs } = settings;
  const { routes: firsts, others, problems } = toRouteTable(operations, settings);
  const errors = [
    ...problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    ...operations.flatMap(findNamelessInput),
    ...findMountFaults(mounts, [
      ...[...firsts, ...others].map(({ path, operation }) => ({ path, name: operation.key })),
      ...(settings.calls ? [{ path: `${prefix}/_call`, name: 'calls' }] : []),
      ...(docs === undefined ? [] : [{ path: `${prefix}/docs`, name: 'docs' }]),
    ]),
  ];
  if (errors.length > 0) throw new Error(errors.join('\n'));
  for (const { kind, message } of problems)
    if (kind !== 'name-says-more') app.logger.warn(`[capix] ${message}`);

  const routes = [...firsts, ...others];
  const callRoutes = settings.calls ? firsts.map((route) => toCallRoute(route, settings)) : [];
  const isPrepared = settings.etag || settings.compression;
  const cors = settings.cors(toHeaderNames(operations, settings));
  const handler = createRequestHandler({
    app,
    settings,
    life,
    cors,
    matchRoute: createMatcher([
      ...routes.map((route) => toRestRoute(route, settings)),
      ...callRoutes,
    ]),
    // The modules for compression, entity tags, calls by key and documents are loaded only where they are turned on.
    pages: await toDocsPages(app.registry, settings, guests),
    doors: await openDoors(guests, settings.prefix),
    prepare: isPrepared
      ? (await import('../http/prepare-response.ts')).createPreparation(settings)
      : undefined,
    calls: settings.calls ? (await import('../http/by-key-format.ts')).byKeyFormat : undefined,
  });
  return {
    ...handler,
    host: toHostFacts(settings, () => cors),
    routes: routes.map(({ method, path, operation }) => ({ method, path, key: operation.key })),
  };
}

/** Only an input that is not surely one object is described here, since a start would take long otherwise. */
function findNamelessInput({ key, fields, definition: { schema } }: Operation): readonly string[] {
  const nameless =
    fields === undefined && schema !== undefined ? findNameless(key, schema) : undefined;
  return nameless === undefined ? [] : [`${nameless.message} ${nameless.hint}`];
}

function toRestRoute(route: Route<Operation>, settings: RestSettings): RestRoute {
  const { sent: headerFields, deprecation, schema, body, maxBodySize } = route.operation.definition;
  const whole = findWholeBody(schema, body);
  const headers = toDeprecationHeaders(deprecation);
  const varies = route.method === 'GET' ? toVary(headerFields) : [];
  return {
    ...route,
    isByKey: false,
    headerFields,
    body: whole && { ...whole, maxBytes: toMaxBytes(whole, settings, maxBodySize) },
    matchBody:
      maxBodySize === undefined
        ? settings.matchBody
        : createBodyMatcher({ maxBodySize, takesMultipart: settings.multipart !== undefined }),
    headers,
    varies,
    plan: undefined,
    files: undefined,
    hasTextParams: undefined,
    isSecret: undefined,
  };
}

/** A body that is a file has the limits of one in a form. */
function toMaxBytes(
  { file }: WholeBody,
  { maxBodySize, multipart }: RestSettings,
  own: number | undefined,
): number {
  if (file === undefined) return own ?? maxBodySize;
  return file.maxSize ?? own ?? multipart?.maxFileSize ?? maxBodySize;
}

/** The headers that the input is read from, for caches. */
function toVary(fields: RestRoute['headerFields']): RawHeaders {
  const names = new Set(
    fields.map(({ in: place, name }) => (place === 'header' ? name : 'Cookie')),
  );
  return names.size === 0 ? [] : ['vary', [...names].join(', ')];
}

/** The way to a capability by its key, which no name gives: `POST /_call/users.getUser`, behind the prefix. */
function toCallRoute(route: Route<Operation>, settings: RestSettings): RestRoute {
  const pattern = parsePathPattern(
    `${settings.prefix}/_call/${route.operation.key}`,
  ) as PathPattern;
  const stated = { ...route, ...pattern, method: 'POST' } as const;
  const shared = toRestRoute(stated, settings);
  const headerFields = shared.headerFields.filter(isProgress);
  return { ...shared, isByKey: true, headerFields, body: undefined };
}

/** The document and the page to read it, where `docs` is on. */
async function toDocsPages(
  registry: CompiledRegistry,
  settings: RestSettings,
  guests: Guests,
): Promise<Map<string, HttpResponse>> {
  const { docs, prefix } = settings;
  if (docs === undefined) return new Map();
  const { toEdited } = await import('../openapi/generate-openapi.ts');
  const { toDocsPage } = await import('../openapi/docs-page.ts');
  const { urlCase, overrides, envelope, etag } = settings;
  const { guards = [], ...about } = docs;
  const options = { ...about, urlCase, overrides, prefix, envelope, etag };
  const document = toEdited(registry, options, { webSockets: guests.describe(prefix) });
  const { html, policy } = toDocsPage(document);
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  // No cache may give a page behind guards to another caller.
  const uncached = guards.length === 0 ? [] : ['cache-control', 'private, no-store'];
  return new Map<string, HttpResponse>([
    [
      `${prefix}/openapi.json`,
      { headers: [...JSON_TYPE, ...uncached], body: JSON.stringify(document) },
    ],
    [`${prefix}/docs`, { headers: [...headers, ...uncached], body: html }],
    [`${prefix}/docs/`, { status: 308, headers: ['location', '../docs'], body: '' }],
  ]);
}
