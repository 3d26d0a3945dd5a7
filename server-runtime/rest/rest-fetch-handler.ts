import { FetchExchange } from '../http/fetch-exchange.ts';
import type { Server } from '../server/create-server.ts';
import { createRestAnswering, type RestAnsweringOptions } from './create-rest-answering.ts';

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
