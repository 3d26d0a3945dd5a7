import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Transport } from '../../server-runtime/index.ts';

export interface EchoTransport extends Transport {
  /** The sockets that it has taken. */
  readonly taken: readonly Duplex[];
}

/** A transport without a port of its own: at its path it sends back what a WebSocket sends, and answers requests. */
export function echoTransport(path = '/echo'): EchoTransport {
  const sockets = new WebSocketServer({ noServer: true });
  const open = new Set<WebSocket>();
  const taken: Duplex[] = [];
  const isOwn = (url: string | undefined): boolean => url?.split('?')[0] === path;
  return {
    name: 'echo',
    needsHost: true,
    taken,
    start: async () => ({ routes: [] }),
    take: ({ url }, response) => {
      if (!isOwn(url)) return false;
      response.end('echo over node');
      return true;
    },
    fetch: (request) =>
      isOwn(new URL(request.url).pathname)
        ? Promise.resolve(new Response('echo over fetch'))
        : undefined,
    upgrade: (request) => {
      if (!isOwn(request.url)) return undefined;
      return (socket, head) => {
        taken.push(socket);
        sockets.handleUpgrade(request, socket, head, (webSocket) => {
          open.add(webSocket);
          webSocket.on('close', () => open.delete(webSocket));
          webSocket.on('message', (data: Buffer) => webSocket.send(`echo ${data.toString()}`));
        });
      };
    },
    stop: async () => {
      for (const webSocket of open) webSocket.close(1001, 'stop');
    },
  };
}
