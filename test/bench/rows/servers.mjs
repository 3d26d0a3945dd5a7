/** What the servers of the rows share: how they begin, and how they are called. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';

/** A server in capix with the operations that `make` gives: `{url}`. */
export async function openCapix(make, options = {}, others = []) {
  const capix = await import('../../../dist/server-runtime/index.js');
  const server = capix.createServer({
    capabilities: { bench: make(capix) },
    transports: [capix.restTransport({ port: 0, host: '127.0.0.1', ...options }), ...others],
    logger: capix.silentLogger,
  });
  const [{ url }] = await server.start();
  return { url };
}

/** Listens with a server of node:http: `{url}`. */
export async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}` };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and reads its answer to the end: `{status, bytes}`. */
export function read(url, { body, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...options }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.once('end', () => resolve({ status: response.statusCode, bytes }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Does something many times, so many of them at once. */
export async function repeat(times, atOnce, work) {
  let left = times;
  const runOne = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, runOne));
}
