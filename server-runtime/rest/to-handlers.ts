import type { IncomingMessage, ServerResponse } from 'node:http';
import { toMountedExchange } from '../http/exchange.ts';
import { FetchExchange } from '../http/fetch-exchange.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Logger } from '../server/logger.ts';
import { type RestOptions, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type RestPipeline } from './rest-pipeline.ts';
import { findRestSettings } from './rest-transport.ts';

/** The facts that a runtime knows besides the request. */
export interface FetchInfo {
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
}

/** Answers one request. Rejects only when the request's own signal fires before its response. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>;

/**
 * Answers `Request` with `Response` as the server's REST transport would, without a socket: for runtimes without
 * node:http, for tests, and for mounting in another server. The server need not be started. A server without a REST
 * transport, or `options`, takes `options`.
 *
 * @example
 * ```ts
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * const handle = toFetchHandler(server);
 *
 * const response = await handle(new Request('http://localhost/ping'));
 * ```
 */
export function toFetchHandler(server: Server, options?: RestOptions): FetchHandler {
  const { pipeline } = createRestAnswering(server, options);
  return async (request, info) => {
    const { handler } = await pipeline;
    const exchange = new FetchExchange(request, info?.remoteAddress);
    handler.handle(exchange);
    return exchange.response;
  };
}

/**
 * Answers one request of `node:http`. With `next`, as middleware of Express and others has it, what no route takes is
 * passed on; without it, that is 404.
 */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Answers requests of `node:http` as the server's REST transport would: as the listener of a server, and as middleware
 * of Express, Connect, NestJS and others, where what no route takes is passed on. The server need not be started. A
 * server without a REST transport, or `options`, takes `options`; `prefix` is the path below which it answers.
 *
 * @example
 * ```ts
 * import { createServer as createHttpServer } from 'node:http';
 *
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * createHttpServer(toNodeHandler(server, { prefix: '/api' })).listen(3000);
 * ```
 */
export function toNodeHandler(server: Server, options?: RestOptions): NodeHandler {
  const { pipeline, logger } = createRestAnswering(server, options);
  let ready: RestPipeline | undefined;
  return (request, response, next) => {
    const answer = ({ handler }: RestPipeline): void => {
      if (next !== undefined && !handler.serves(request.method ?? 'GET', request.url ?? '/')) next();
      else handler.handle(toMountedExchange(request, response));
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

/** Answers requests without listening, for a server that need not be started. */
function createRestAnswering(
  server: Server,
  options: RestOptions | undefined,
): { readonly pipeline: Promise<RestPipeline>; readonly logger: Logger } {
  const { transports, appFor } = internalsOf(server);
  const own = options === undefined ? transports.map(findRestSettings).find((each) => each !== undefined) : undefined;
  const settings = own ?? toRestSettings(options ?? {});
  const app = appFor(settings.capabilities);
  const pipeline = createRestPipeline({ app, settings, life: { phase: 'open' } });
  // A fault of the routes rejects the first request, where somebody sees it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(routes)).catch(() => {});
  return { pipeline, logger: app.logger };
}
