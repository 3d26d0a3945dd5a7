import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { App, Transport } from '../../../server-runtime/index.ts';

/** Answers lines such as `{"id": 1, "capability": "items.getItem", "input": {"id": "7"}}`. */
export function lineTransport(options: { readonly port: number }): Transport {
  let app: App;
  const sockets = new Set<Socket>();

  const listener = createServer((socket) => {
    const caller = new AbortController();
    sockets.add(socket);
    socket.on('error', () => {}); // 'close' comes next
    socket.on('close', () => sockets.delete(socket));
    socket.on('close', () => caller.abort());
    // A stream makes its next item once the caller has read this one.
    const send = (message: object): Promise<unknown> =>
      new Promise((resolve) => socket.write(`${JSON.stringify(message)}\n`, resolve));
    let rest = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > 1_000_000) socket.destroy();
      const facts = { remoteAddress: socket.remoteAddress, signal: caller.signal };
      for (const text of lines) void app.answer({ text, ...facts }, send);
    });
  });
  listener.on('error', (error) => app.logger.error('[lines] The listener failed', { error }));

  return {
    name: 'lines',
    async start(application) {
      app = application;
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
