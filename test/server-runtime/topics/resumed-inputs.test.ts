import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import * as z from 'zod';
import {
  createClient,
  createClientOf,
  type WebSocketClass,
  webSocket,
} from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  sse,
  stream,
} from '../../../server-runtime/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';

/** A stream of the numbers behind `after`, of which the first run stays open behind 7. */
function createApp(port: number, asked: number[]) {
  const watch = capability(
    z.object({ after: z.coerce.number().default(0) }),
    async function* ({ after }, { signal }) {
      asked.push(after);
      const isFirst = asked.length === 1;
      for (let at = after + 1; at <= 9; at++) {
        if (isFirst && at === 8)
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield sse(at, { id: String(at), retryMs: 1 });
      }
    },
    'query',
  )
    .takes({ headers: { after: 'last-event-id' } })
    .output(stream(z.number()));
  return createServer({
    capabilities: { numbers: { watch } },
    transports: [restTransport({ port, host: '127.0.0.1', calls: true }), webSocketTransport()],
    logger: silentLogger,
  });
}

interface Api {
  readonly numbers: { readonly watch: (input: object) => Promise<AsyncIterable<number>> };
}

const facts = {
  contents: { 200: 'stream' },
  sent: [{ field: 'after', in: 'header', name: 'last-event-id' }],
} as const;
const routes = { 'numbers.watch': ['GET', '/numbers/watch', facts] } as const;
const socket = (url: string) => {
  const transport = webSocket(url, { WebSocket: WsWebSocket as unknown as WebSocketClass });
  onTestFinished(() => transport.close());
  return { transport };
};

const clients: Record<string, (url: string) => Api> = {
  'the inferred client over HTTP': (baseUrl) => createClient({ baseUrl }) as unknown as Api,
  'the written client over HTTP': (baseUrl) => createClientOf<Api>(routes as never)({ baseUrl }),
  'the inferred client over a WebSocket': (url) => createClient(socket(url)) as unknown as Api,
  'the written client over a WebSocket': (url) =>
    createClientOf<Api>(routes as never)(socket(url) as never),
};

describe('a stream whose caller says where it begins', () => {
  for (const [name, connect] of Object.entries(clients))
    it.each([5, undefined])(
      `goes on behind its last item where the connection of ${name} is lost: %s`,
      async (begin) => {
        const input = begin === undefined ? {} : { after: begin };
        const port = await findFreePort();
        const asked: number[] = [];
        let server = createApp(port, asked);
        await server.start();
        onTestFinished(() => server.stop({ graceMs: 0 }));
        const api = connect(`http://127.0.0.1:${port}`);
        const seen: number[] = [];
        for await (const item of await api.numbers.watch(input)) {
          seen.push(item);
          if (item !== 7) continue;
          await server.stop({ graceMs: 0 });
          server = createApp(port, asked);
          await server.start();
        }
        const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        expect({ seen, asked }).toEqual({ seen: all.slice(begin ?? 0), asked: [begin ?? 0, 7] });
      },
    );
});
