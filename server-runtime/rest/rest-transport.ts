import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { toMountedExchange } from '../http/exchange.ts';
import { FetchExchange } from '../http/fetch-exchange.ts';
import { createHttpListener, type HttpListener } from '../http/http-listener.ts';
import { applicationOf } from '../server/create-application.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Logger } from '../server/logger.ts';
import type { AnyTransport, Transport } from '../server/transport.ts';
import type { RequestHandler } from './request-handler.ts';
import type { RestParts } from './responder.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';
import { createRestPipeline } from './rest-pipeline.ts';

const REST: unique symbol = Symbol.for('capix.rest') as never;

/** Serves capabilities over HTTP. @throws TypeError or RangeError for an option that cannot be */
export function restTransport<const Key extends string = never, Own extends GroupTree = Record<never, never>>(
  options: RestOptions<Key, Own> = {},
): Uninferred<Transport<OverriddenKeys<Key, Own>, NeedsOf<Own>>, Own> {
  const settings = toRestSettings(options as RestOptions);
  const life: RestParts['life'] = { phase: 'starting' };
  let pipeline: RequestHandler | undefined;
  let listener: HttpListener | undefined;
  const transport: Transport & HasSettings = {
    [REST]: settings,
    name: 'rest',
    ...(settings.capabilities === undefined ? {} : { capabilities: settings.capabilities }),
    start: async (given) => {
      const app = applicationOf(given);
      life.phase = 'starting';
      pipeline = await createRestPipeline(app, settings, life);
      const { handle, routes } = pipeline;
      listener = await createHttpListener(settings, handle);
      const { url, networkUrls } = listener;
      return { url, ...(networkUrls && { networkUrls }), routes };
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

/** The keys that a server must have: those that overrides name, but for those of the transport's own capabilities. */
export type OverriddenKeys<Key extends string, Own> = string extends Key ? never : Exclude<Key, KeyOf<Own>>;

/** Answers one request. Rejects only when the request's own signal fires before its response. */
export type FetchHandler = (
  request: Request,
  info?: { readonly remoteAddress?: string | undefined },
) => Promise<Response>;

/**
 * Answers `Request` with `Response` as the server's REST transport would, or as `options` say. The server need not be
 * started.
 */
export function toFetchHandler(server: Server, options?: RestOptions): FetchHandler {
  const { pipeline } = createAnswering(server, options);
  return async (request, info) => {
    const { handle } = await pipeline;
    const exchange = new FetchExchange(request, info?.remoteAddress);
    handle(exchange);
    return exchange.response;
  };
}

/** Answers one request. What no route takes is given to `next`, as middleware of Express has it; else it is 404. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Answers requests of `node:http` as the server's REST transport would, or as `options` say: as the listener of a
 * server, or as middleware. The server need not be started.
 */
export function toNodeHandler(server: Server, options?: RestOptions): NodeHandler {
  const { pipeline, logger } = createAnswering(server, options);
  const { transports } = internalsOf(server);
  let ready: RequestHandler | undefined;
  return (request, response, next) => {
    if (transports.some((transport) => transport.take?.(request, response) === true)) return;
    const answer = ({ handle, serves }: RequestHandler): void => {
      if (next !== undefined && !serves(request.method ?? 'GET', request.url ?? '/')) next();
      else handle(toMountedExchange(request, response));
    };
    const fail = (error: unknown): void => {
      if (next !== undefined) return next(error);
      logger.error('[capix] A request could not be answered.', { error });
      if (!response.headersSent) response.writeHead(500).end();
    };
    if (ready === undefined) return void pipeline.then((made) => answer((ready = made))).catch(fail);
    try {
      answer(ready);
    } catch (error) {
      fail(error);
    }
  };
}

/** The settings by which requests are answered without a socket, too. */
interface HasSettings {
  readonly [REST]: RestSettings;
}

function createAnswering(
  server: Server,
  options: RestOptions | undefined,
): { readonly pipeline: Promise<RequestHandler>; readonly logger: Logger } {
  const { transports, appFor } = internalsOf(server);
  const settingsOf = (transport: AnyTransport) => (transport as Partial<HasSettings>)[REST];
  const own = options === undefined ? transports.map(settingsOf).find((each) => each !== undefined) : undefined;
  const settings = own ?? toRestSettings(options ?? {});
  const app = appFor(settings.capabilities);
  const pipeline = createRestPipeline(app, settings, { phase: 'open' });
  // A fault of the routes rejects the first request, where somebody sees it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(routes)).catch(() => {});
  return { pipeline, logger: app.logger };
}
