import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { WebSocket as UndiciWebSocket } from 'undici';
import { onTestFinished } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import {
  type WebSocketClass,
  type WebSocketClientOptions,
  webSocket,
} from '../../server-runtime/client/index.ts';
import {
  type BaseContext,
  capability,
  createServer,
  defineContext,
  type GroupTree,
  restTransport,
  type Server,
  silentLogger,
} from '../../server-runtime/index.ts';
import { type WebSocketOptions, webSocketTransport } from '../../server-runtime/websocket/index.ts';

export interface Caller extends BaseContext {
  readonly token: string | undefined;
}
export const cap = capability.withContext<Caller>();
const context = defineContext(({ headers }) => ({ token: headers.authorization }));

/** Starts a server for clients; it stops with the test. */
export async function startForClients(
  capabilities: object,
  socket: WebSocketOptions = {},
  port = 0,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer({
    capabilities: capabilities as GroupTree,
    context,
    transports: [restTransport({ port, host: '127.0.0.1' }), webSocketTransport(socket)],
    logger: silentLogger,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, url: started?.url ?? '' };
}

export const classes: readonly (readonly [string, WebSocketClass])[] = [
  ['ws', WsWebSocket],
  ['undici', UndiciWebSocket],
];
/** A link that is closed with the test. */
export function link(url: string, options: WebSocketClientOptions = {}) {
  const made = webSocket(url, { WebSocket: UndiciWebSocket as WebSocketClass, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** A proxy to a port of this machine, whose connections can be cut, or hold what they get. */
export async function startProxy(port: number) {
  const pairs = new Set<Socket>();
  let isHolding = false;
  let count = 0;
  const server = createTcpServer((near) => {
    count++;
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => {
        if (!isHolding) to.write(bytes);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of pairs) socket.destroy();
    pairs.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const { port: own } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    count: () => count,
    hold: () => {
      isHolding = true;
    },
    goOn: () => {
      isHolding = false;
    },
  };
}
