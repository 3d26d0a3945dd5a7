import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { expectSecurity } from '../errors/security-faults.ts';
import { toMountedExchange } from '../http/exchange.ts';
import { FetchExchange } from '../http/fetch-exchange.ts';
import { takeUpgrades } from '../http/upgrades.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { FetchInfo } from '../server/guests.ts';
import { createRestPipeline, toGuestsHere, toHostFacts } from './pipeline.ts';
import type { RequestHandler } from './request-handler.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';
import { REST } from './rest-transport.ts';

/** Answers one request. Rejects only when the request's own signal fires before its response. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>;

/**
 * Answers `Request` with `Response` as the REST transport of a server would, started or not, or as `options` say.
 * @throws TypeError where a secret is missing or short, as `start` rejects
 */
export function toFetchHandler(server: Server, options?: RestOptions): FetchHandler {
  const { pipeline, guests, lifecycle } = createAnswering(server, options);
  return async (request, info = {}) => {
    const response = guests.fetch?.(request, info);
    if (response !== undefined) return response;
    const { handle } = await pipeline;
    if (!lifecycle.isReady) await lifecycle.startForCall().catch(() => {});
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
  const { pipeline, logger, guests, settings, lifecycle } = createAnswering(server, options);
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
      // What is not for this server does not start it.
      const isOwn = next === undefined || made.serves(request.method ?? 'GET', request.url ?? '/');
      if (lifecycle.isReady || !isOwn) return answer(made);
      lifecycle
        .startForCall()
        .catch(() => {})
        .then(() => answer(made), fail);
    };
    if (ready !== undefined && lifecycle.isReady) answer(ready);
    else pipeline.then(begin, fail);
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
    life: {
      get phase() {
        return app.lifecycle.isReady ? 'open' : 'starting';
      },
    },
    guests,
  });
  // A fault of the routes rejects the first request, where the application can see it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(routes)).catch(() => {});
  return { pipeline, guests, logger: app.logger, lifecycle: app.lifecycle, settings };
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
