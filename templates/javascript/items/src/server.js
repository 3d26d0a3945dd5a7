import { createServer, restTransport } from 'capix';
import { capabilities, restOptions } from './capabilities.js';
import { context } from './context.js';

const server = createServer({
  context,
  capabilities,
  transports: [restTransport({ ...restOptions, port: Number(process.env.PORT || 3000), host: process.env.HOST })],
});

await server.start();

// Let requests under way end; a second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void server.stop().then(() => process.exit()));
}
