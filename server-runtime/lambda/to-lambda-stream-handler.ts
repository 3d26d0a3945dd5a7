import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { FetchHandler } from '../rest/rest-fetch-handler.ts';
import { type LambdaEvent, toLambdaRequest } from './lambda-event.ts';
import { toLambdaHead } from './read-lambda-result.ts';

/** The part of the global `awslambda` of the runtime that is used. */
interface StreamingRuntime {
  streamifyResponse(handler: (event: LambdaEvent, stream: Writable) => Promise<void>): unknown;
  readonly HttpResponseStream: { from(stream: Writable, head: object): Writable };
}

/**
 * Makes a function of AWS Lambda that sends its answers as they are made: events, lines and bytes arrive one by one. For function URLs with
 * `InvokeMode: RESPONSE_STREAM`, on the Node.js runtimes of AWS.
 *
 * @throws Error outside that runtime
 *
 * @example
 * ```ts
 * import { toLambdaStreamHandler } from 'capix/lambda';
 *
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * export const handler = 'awslambda' in globalThis ? toLambdaStreamHandler(toFetchHandler(server)) : undefined;
 * ```
 */
export function toLambdaStreamHandler(handle: FetchHandler): unknown {
  const { awslambda: runtime } = globalThis as { readonly awslambda?: StreamingRuntime };
  if (runtime === undefined)
    throw new Error(
      'toLambdaStreamHandler works in the Node.js runtime of AWS Lambda alone. Elsewhere, use toLambdaHandler.',
    );
  return runtime.streamifyResponse(async (event, stream) => {
    const { request, remoteAddress } = toLambdaRequest(event);
    const response = await handle(request, { remoteAddress });
    const out = runtime.HttpResponseStream.from(stream, toLambdaHead(response));
    if (response.body === null) {
      // The head is sent with the first bytes, so that there must be some.
      out.end('');
      return;
    }
    await pipeline(Readable.fromWeb(response.body as NodeReadableStream), out);
  });
}
