/** capix on an engine: `listen` is node:http, `bun` and `deno` are the servers of these runtimes, which call its fetch handler. Prints its port. */
import {
  createServer,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../../dist/server-runtime/index.js';
import { toCapixOptions } from '../app/capix-options.mjs';

const [app = 'small', engine = 'listen'] = process.argv.slice(2);
const server = createServer({
  ...toCapixOptions(app),
  transports: [restTransport({ port: 0 })],
  logger: silentLogger,
});

const engines = {
  listen: async () => Number(new URL((await server.start())[0].url).port),
  bun: async () => globalThis.Bun.serve({ port: 0, fetch: toFetchHandler(server) }).port,
  deno: async () =>
    globalThis.Deno.serve({ port: 0, onListen: () => {} }, toFetchHandler(server)).addr.port,
};
console.log(`at ${await engines[engine]()}`);
