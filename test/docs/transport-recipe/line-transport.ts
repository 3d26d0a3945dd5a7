import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { App, Transport } from '../../../server-runtime/index.ts';

/** Answers lines such as `{"id": 1, "capability": "items.getItem", "input": {"id": "7"}}`. */
export function lineTransport(options: { readonly port: number }): Transport {
  let app: App;
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => serve(app, sockets.add(socket), socket));
  listener.on('error', (error) => app.logger.error('[lines] The listener failed', { error }));
  return {
    name: 'lines',
    async start(given) {
      app = given;
      await once(listener.listen(options.port, '127.0.0.1'), 'listening'); // rejects where it cannot
      return { url: `tcp://127.0.0.1:${(listener.address() as AddressInfo).port}` };
    },
    async stop({ graceMs }) {
      const closed = once(listener.close(), 'close');
      await app.drain({ graceMs });
      for (const socket of sockets) socket.destroy(); // all answers are written
      await closed;
    },
  };
}

function serve(app: App, sockets: Set<Socket>, socket: Socket): void {
  const left = new AbortController();
  let rest = '';
  socket.on('error', () => {}); // 'close' comes next
  socket.on('close', () => left.abort(sockets.delete(socket)));
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > 1_000_000) socket.destroy();
    for (const line of lines) {
      const { id, ...sent } = parse(line);
      const call = { ...sent, remoteAddress: socket.remoteAddress, signal: left.signal };
      // A stream makes no more items until its caller has read this one.
      const send = (message: object): Promise<unknown> =>
        new Promise((done) => socket.write(`${JSON.stringify({ id, ...message })}\n`, done));
      void app.answer(call, send);
    }
  });
}

/** Of what is no call, `answer` says that it has no key. */
function parse(line: string): { id?: unknown; capability: string; input?: unknown } {
  try {
    const { id, capability, input } = JSON.parse(line);
    return { id, capability, input };
  } catch {
    return { capability: '' };
  }
}
