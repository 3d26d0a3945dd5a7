/** capix with its defaults: 30 s timeout on every request, request id, CORS. From the build in dist/. */
import { createServer, restTransport, silentLogger } from '../../../dist/server-runtime/index.js';
import { toCapixOptions } from '../app/capix-options.mjs';
import { serve } from './serve.mjs';

await serve(async (app) => {
  const server = createServer({
    ...toCapixOptions(app),
    transports: [restTransport({ port: 0 })],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  return Number(new URL(url).port);
});
