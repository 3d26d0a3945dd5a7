import { FetchExchange } from '../http/fetch-exchange.ts';
import type { Server } from '../server/create-server.ts';
import { internalsOf } from '../server/server-internals.ts';
import { type RestOptions, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type ToPages } from './rest-pipeline.ts';
import { findRestSettings } from './rest-transport.ts';

/** The facts that a runtime knows besides the request. */
export interface FetchInfo {
  /** The address of the caller, for the context builder. */
  readonly remoteAddress?: string | undefined;
}

/** Answers one request. Rejects only when the request's own signal fires before its answer. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>;

export function createRestFetchHandler(
  server: Server,
  { options, toPages }: { readonly options: RestOptions | undefined; readonly toPages: ToPages },
): FetchHandler {
  const { transports, appFor } = internalsOf(server);
  const own = options === undefined ? transports.map(findRestSettings).find((each) => each !== undefined) : undefined;
  const settings = own ?? toRestSettings(options ?? {});
  const pipeline = createRestPipeline({ app: appFor(settings.capabilities), settings, toPages, phase: () => 'open' });
  // A fault of the routes rejects the first request, where somebody sees it.
  pipeline.catch(() => {});
  return async (request, info) => {
    const { handle } = await pipeline;
    const exchange = new FetchExchange(request, info?.remoteAddress);
    handle(exchange);
    return exchange.response;
  };
}
