import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import {
  findNameless,
  findWholeBody,
  toDeprecationHeaders,
  type WholeBody,
} from '../capability/http.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectSecurity } from '../errors/security-faults.ts';
import { type Cors, toHeaderNames } from '../http/cors.ts';
import { type RawHeaders, toMountedExchange } from '../http/exchange.ts';
import { FetchExchange } from '../http/fetch-exchange.ts';
import { type HttpResponse, JSON_TYPE } from '../http/http-response.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createListener, type Listener } from '../http/node-http.ts';
import { admitsPage } from '../http/origin.ts';
import { takeUpgrades } from '../http/upgrades.ts';
import { isProgress } from '../input/sent-fields.ts';
import type { CompiledRegistry, Operation } from '../registry/compile-registry.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import { type PathPattern, parsePathPattern } from '../routing/path-pattern.ts';
import type { Route } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import { type Application, applicationOf } from '../server/application.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { FetchInfo, Guests, HostFacts } from '../server/guests.ts';
import type { Transport } from '../server/transport.ts';
import { createRequestHandler, type RequestHandler } from './request-handler.ts';
import type { RestRoute } from './request-input.ts';
import type { RestParts } from './responder.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';

const REST: unique symbol = Symbol.for('capix.rest');

/** Serves capabilities over HTTP. @throws TypeError or RangeError for an invalid option */
export function restTransport<
  const Key extends string = never,
  Own extends GroupTree = Record<never, never>,
>(
  options: RestOptions<Key, Own> = {},
): Uninferred<Transport<OverriddenKeys<Key, Own>, NeedsOf<Own>>, Own> {
  const settings = toRestSettings(options as RestOptions);
  const life: RestParts['life'] = { phase: 'starting' };
  let pipeline: Awaited<ReturnType<typeof createRestPipeline>> | undefined;
  let listener: Listener | undefined;
  const transport: Transport & { readonly [REST]: RestSettings } = {
    [REST]: settings,
    name: 'rest',
    isHost: true,
    capabilities: settings.capabilities,
    start: async (publicApp) => {
      const app = applicationOf(publicApp);
      life.phase = 'starting';
      pipeline = await createRestPipeline(app, { settings, life, guests: publicApp.guests });
      listener = await createListener(
        createHttpServer(
          settings,
          pipeline.handle,
          toGuestsHere(publicApp.guests, pipeline.host, life),
        ),
        settings,
        findDevLink(),
      );
      const isOpen = settings.isOpenByDefault && process.env['NODE_ENV'] === 'production';
      const notes = isOpen ? { notes: [OPEN_TO_PAGES] } : {};
      return { ...listener.address, routes: pipeline.routes, ...notes };
    },
    open: () => {
      life.phase = 'open';
    },
    stop: async ({ graceMs }) => {
      life.phase = 'draining';
      pipeline?.endEvents();
      await listener?.close(graceMs);
      listener = undefined;
    },
  };
  return transport as Transport<string, never> as never;
}

/** The guests as this host asks them. While the server starts or stops, their connections end with their responses. */
function toGuestsHere(
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
function toHostFacts(
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

const OPEN_TO_PAGES =
  'The pages of every site may read this API, without cookies. The option cors says which ones may; ' +
  "`cors: { origin: '*' }` says that it is meant.";

/** The keys that a server must have: those that overrides name, except for the transport's own capabilities. */
export type OverriddenKeys<Key extends string, Own> = string extends Key
  ? never
  : Exclude<Key, KeyOf<Own>>;

/** Answers one request. Rejects only when the request's own signal fires before its response. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>;

/**
 * Answers `Request` with `Response` as the REST transport of a server would, started or not, or as `options` say.
 * @throws TypeError where a secret is missing or short, as `start` rejects
 */
export function toFetchHandler(server: Server, options?: RestOptions): FetchHandler {
  const { pipeline, guests } = createAnswering(server, options);
  return async (request, info = {}) => {
    const response = guests.fetch?.(request, info);
    if (response !== undefined) return response;
    const { handle } = await pipeline;
    const exchange = new FetchExchange(request, info.remoteAddress);
    handle(exchange);
    return exchange.response;
  };
}

/** Answers one request. A request without a route goes to `next`, as in middleware of Express, or gets 404. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** A handler of a server, which knows its other transports, too. */
export interface MountedHandler extends NodeHandler {
  /**
   * Passes the upgrades of an HTTP server, such as WebSockets, to the transports of the server. Other upgrades go to
   * the other listeners of `upgrade`, or are answered as plain requests.
   */
  readonly takeUpgrades: (server: HttpServer) => void;
}

/** Answers requests of `node:http`, as a listener or as middleware, as the REST transport of a server would. */
export function toNodeHandler(server: Server, options?: RestOptions): MountedHandler {
  const { pipeline, logger, guests, settings } = createAnswering(server, options);
  const host = toHostFacts(settings, () => settings.cors({ exposed: [], allowed: [] }));
  const { take, upgrade } = toGuestsHere(guests, host, { phase: 'open' });
  let ready: RequestHandler | undefined;
  const handler: NodeHandler = (request, response, next) => {
    if (take?.(request, response) === true) return;
    const fail = (error: unknown): void => {
      if (next !== undefined) return next(error);
      logger.error('[capix] A request could not be answered.', { error });
      if (!response.headersSent) response.writeHead(500).end();
    };
    const answer = ({ handle, serves }: RequestHandler): void => {
      if (next !== undefined && !serves(request.method ?? 'GET', request.url ?? '/')) return next();
      try {
        handle(toMountedExchange(request, response));
      } catch (error) {
        fail(error);
      }
    };
    const begin = (made: RequestHandler): void => {
      ready = made;
      answer(made);
    };
    if (ready === undefined) pipeline.then(begin, fail);
    else answer(ready);
  };
  return Object.assign(handler, {
    takeUpgrades: (http: HttpServer) => {
      if (upgrade !== undefined) takeUpgrades(http, upgrade);
    },
  });
}

function createAnswering(server: Server, options: RestOptions | undefined) {
  expectSecurity();
  const { transports, appFor, mount } = internalsOf(server);
  const [own] = transports.flatMap(
    (transport) => (transport as { readonly [REST]?: RestSettings })[REST] ?? [],
  );
  const settings = options === undefined && own !== undefined ? own : toRestSettings(options ?? {});
  const app = appFor(settings.capabilities);
  const guests = mount();
  const pipeline = createRestPipeline(app, {
    settings: withOwnServers(settings),
    life: { phase: 'open' },
    guests,
  });
  // A fault of the routes rejects the first request, where the application can see it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(routes)).catch(() => {});
  return { pipeline, guests, logger: app.logger, settings };
}

/**
 * The host may serve the handler below a path of its own (`app.use('/api', …)`), and rewrite the URL that the handler
 * sees. The document then names its server relative to its own address: so many folders up.
 */
function withOwnServers(settings: RestSettings): RestSettings {
  const { docs, prefix } = settings;
  if (docs === undefined || docs.servers?.length) return settings;
  const ups = prefix.split('/').slice(1);
  const url = ups.length === 0 ? '.' : ups.map(() => '..').join('/');
  return { ...settings, docs: { ...docs, servers: [{ url }] } };
}

interface PipelineParts extends Pick<RestParts, 'settings' | 'life'> {
  /** The transports without a port, of which the document tells. */
  readonly guests: Guests;
}

/** Makes everything between a request and its response. Rejects where two capabilities have one route, for example. */
async function createRestPipeline(app: Application, { settings, life, guests }: PipelineParts) {
  const { operations } = app.registry;
  const { routes: firsts, others, problems } = toRouteTable(operations, settings);
  const errors = [
    ...problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    ...operations.flatMap(findNamelessInput),
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
  const { sent: headerFields, deprecation, schema, body } = route.operation.definition;
  const whole = findWholeBody(schema, body);
  const headers = toDeprecationHeaders(deprecation);
  const varies = route.method === 'GET' ? toVary(headerFields) : [];
  return {
    ...route,
    isByKey: false,
    headerFields,
    body: whole && { ...whole, maxBytes: toMaxBytes(whole, settings) },
    headers,
    varies,
    plan: undefined,
    files: undefined,
    hasTextParams: undefined,
    isSecret: undefined,
  };
}

/** A body that is a file has the limits of one in a form. */
function toMaxBytes({ file }: WholeBody, { maxBodySize, multipart }: RestSettings): number {
  return file === undefined ? maxBodySize : (file.maxSize ?? multipart?.maxFileSize ?? maxBodySize);
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
