import { WebSocket } from 'undici';
import { ApiError } from '../../server-runtime/client/call.ts';
import { createCall } from '../../server-runtime/client/create-client-of.ts';
import { ConnectionLost } from '../../server-runtime/client/pending-call.ts';
import { webSocket } from '../../server-runtime/client/web-socket.ts';
import { isAsyncIterable } from '../../server-runtime/resources/item-source.ts';
import { usageError } from '../cli/cli-error.ts';
import { openDispatcher } from '../system/proxies.ts';
import type { CallRequest, CallResult } from './perform-call.ts';

interface SocketRequest extends CallRequest {
  readonly baseUrl: string;
  /** The path of connections: `/_call`. */
  readonly path: string;
}

/** The code of a connection that was lost, or was never there. */
const LOST = 1006;

/** Calls a capability of a running server over a WebSocket of its own. Rejects where there is none. */
export async function callSocket(request: SocketRequest): Promise<CallResult> {
  const { key, baseUrl, path, input, headers, signal } = request;
  if (Object.keys(input.files).length > 0)
    throw usageError('option --ws: a message carries no files', 'Leave --ws out.');
  const dispatcher = openDispatcher();
  /** A client waits for a server that is away; whoever calls from here wants to know. */
  class OneConnection extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, { protocols, dispatcher });
      this.addEventListener('close', ({ code }) => {
        if (code === LOST) setTimeout(() => transport.close());
      });
    }
  }
  const transport = webSocket(baseUrl, {
    WebSocket: OneConnection,
    path,
  });
  const call = createCall(key, {
    options: { transport, headers },
    route: ['POST', path],
    dataField: 'data',
    revive: (value) => value,
  });
  const startedAt = performance.now();
  try {
    const result = await call.safe(input.json as object, { signal });
    const body = result.ok ? { data: await readAll(result.data, request) } : toBody(result.error);
    return { status: result.status, durationMs: performance.now() - startedAt, body };
  } catch (error) {
    if (error instanceof ConnectionLost) throw new Error(`no WebSocket is open at ${path}`);
    if (!(error instanceof ApiError)) throw error;
    // The status of a stream that failed after it had begun.
    return { status: error.status, durationMs: performance.now() - startedAt, body: toBody(error) };
  } finally {
    transport.close();
    await dispatcher.destroy();
  }
}

/** The data, or the items of a stream, each of which is reported when it arrives. */
async function readAll(data: unknown, { on }: SocketRequest): Promise<unknown> {
  if (!isAsyncIterable(data)) return data;
  const items: unknown[] = [];
  for await (const item of data) {
    items.push(item);
    on?.onItem?.(item);
  }
  return items;
}

function toBody({ name, message, meta }: ApiError): object {
  return { error: name, message, meta };
}
