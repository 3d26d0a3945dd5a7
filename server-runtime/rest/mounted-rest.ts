import type { IncomingMessage, ServerResponse } from 'node:http';
import { FetchExchange } from '../http/fetch-exchange.ts';
import { isRead, NodeExchange, ReadExchange } from '../http/node-exchange.ts';
import type { Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Logger } from '../server/logger.ts';
import { internalsOf } from '../server/server-internals.ts';
import { type RestOptions, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type RestPipeline, type ToPages } from './rest-pipeline.ts';
import { findRestSettings } from './rest-transport.ts';
import { toToldRoutes } from './served-routes.ts';

/**
 * Answers one request of `node:http`. With `next`, as middleware of Express and others has it, what no route takes is
 * passed on; without it, that is 404.
 */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

export function createRestNodeHandler(server: Server, options: RestAnsweringOptions): NodeHandler {
  const { pipeline, logger } = createRestAnswering(server, options);
  let ready: RestPipeline | undefined;
  const answer = ({ handle, serves }: RestPipeline, ...[request, response, next]: Parameters<NodeHandler>): void => {
    if (next !== undefined && !serves(request.method ?? 'GET', request.url ?? '/')) return next();
    handle(isRead(request) ? new ReadExchange(request, response) : new NodeExchange(request, response));
  };
  const fail = (error: unknown, ...[, response, next]: Parameters<NodeHandler>): void => {
    if (next !== undefined) return next(error);
    logger.error('[capix] A request could not be answered.', { error });
    if (!response.headersSent) response.writeHead(500).end();
  };
  return (...parts) => {
    if (ready === undefined) {
      pipeline
        .then((made) => {
          ready = made;
          answer(made, ...parts);
        })
        .catch((error: unknown) => fail(error, ...parts));
      return;
    }
    try {
      answer(ready, ...parts);
    } catch (error) {
      fail(error, ...parts);
    }
  };
}

export interface RestAnsweringOptions {
  /** Undefined takes those of the server's REST transport. */
  readonly options: RestOptions | undefined;
  readonly toPages: ToPages;
}

export interface RestAnswering {
  readonly pipeline: Promise<RestPipeline>;
  readonly logger: Logger;
}

/** Answers requests without listening, for a server that need not be started. */
export function createRestAnswering(server: Server, { options, toPages }: RestAnsweringOptions): RestAnswering {
  const { transports, appFor } = internalsOf(server);
  const own = options === undefined ? transports.map(findRestSettings).find((each) => each !== undefined) : undefined;
  const settings = own ?? toRestSettings(options ?? {});
  const app = appFor(settings.capabilities);
  const pipeline = createRestPipeline({ app, settings, toPages, phase: () => 'open' });
  // A fault of the routes rejects the first request, where somebody sees it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(toToldRoutes(routes))).catch(() => {});
  return { pipeline, logger: app.logger };
}

/** The facts that a runtime knows besides the request. */
export interface FetchInfo {
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
}

/** Answers one request. Rejects only when the request's own signal fires before its answer. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>;

export function createRestFetchHandler(server: Server, options: RestAnsweringOptions): FetchHandler {
  const { pipeline } = createRestAnswering(server, options);
  return async (request, info) => {
    const { handle } = await pipeline;
    const exchange = new FetchExchange(request, info?.remoteAddress);
    handle(exchange);
    return exchange.response;
  };
}
