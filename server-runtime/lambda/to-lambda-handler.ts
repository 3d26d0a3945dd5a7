import type { FetchHandler } from '../rest/rest-fetch-handler.ts';
import { type LambdaEvent, toLambdaRequest } from './lambda-event.ts';
import { type LambdaResult, readLambdaResult } from './read-lambda-result.ts';

/** A function of AWS Lambda that answers HTTP requests. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>;

/**
 * Makes a function of AWS Lambda of what `toFetchHandler` gives, for API Gateway (payloads 1 and 2), function URLs and load balancers. The
 * address of the caller is that which AWS tells. A stage in the path is a `prefix` of the transport.
 *
 * @example
 * ```ts
 * import { toLambdaHandler } from 'capix/lambda';
 *
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * export const handler = toLambdaHandler(toFetchHandler(server));
 * ```
 */
export function toLambdaHandler(handle: FetchHandler): LambdaHandler {
  return async (event) => {
    const { request, remoteAddress } = toLambdaRequest(event);
    return readLambdaResult(event, await handle(request, { remoteAddress }));
  };
}
