import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type App, defaultErrors, type Transport } from '../../../server-runtime/index.ts';
import { toAnswers, toError } from './to-answers.ts';

/** Answers lines such as `{"id": 1, "capability": "items.getItem", "input": {"id": "7"}}`. */
export function lineTransport(options: { readonly port: number }): Transport {
  const sockets = new Set<Socket>();
  const calls = new Set<Promise<void>>();
  let isOpen = false;
  let listener = createServer();

  function serve(app: App, socket: Socket): void {
    const left = new AbortController();
    let rest = '';
    sockets.add(socket);
    socket.on('error', () => {}); // 'close' comes next
    socket.on('close', () => {
      sockets.delete(socket);
      left.abort();
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const call = answer(app, socket, line, left.signal).finally(() => calls.delete(call));
        calls.add(call);
      }
      if (rest.length > 1_000_000 || calls.size > 1000) socket.destroy();
    });
  }

  async function answer(
    app: App,
    socket: Socket,
    line: string,
    signal: AbortSignal,
  ): Promise<void> {
    const requestId = randomUUID();
    const send = (body: object): Promise<unknown> => {
      const text = JSON.stringify({ ...body, requestId });
      // Waits for a slow reader, and rejects once he has left.
      return new Promise<void>((done, fail) =>
        socket.write(`${text}\n`, (error) => (error ? fail(error) : done())),
      );
    };
    const { remoteAddress } = socket;
    const facts = { headers: { 'x-request-id': requestId }, remoteAddress, signal };
    const call: App['call'] = (sent) => (isOpen ? app.call({ ...sent, ...facts }) : refuse(sent));
    try {
      for await (const body of toAnswers(call, line)) await send(body);
    } catch (error) {
      if (socket.destroyed) return;
      app.logger.error('[lines] An answer could not be written', { requestId, error });
      await send(toError(defaultErrors.Internal())).catch(() => {});
    }
  }

  return {
    name: 'lines',
    async start(app) {
      listener = createServer((socket) => serve(app, socket)).listen(options.port, '127.0.0.1');
      await once(listener, 'listening'); // rejects where it cannot listen
      listener.on('error', (error) => app.logger.error('[lines] The listener failed', { error }));
      const { port } = listener.address() as AddressInfo;
      const keys = app.registry.operations.map(({ key }) => key);
      const routes = keys.map((key) => ({ method: 'LINE', path: key, key }));
      return { url: `tcp://127.0.0.1:${port}`, routes };
    },
    open() {
      isOpen = true;
    },
    async stop({ graceMs }) {
      isOpen = false;
      const closed = new Promise((done) => listener.close(done));
      const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs);
      await Promise.all(calls);
      clearTimeout(cut);
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}

const refuse: App['call'] = async () => ({
  ok: false,
  failure: defaultErrors.ServiceUnavailable(),
});
