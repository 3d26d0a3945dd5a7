import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.ts';

const server = createServer({
  capabilities,
  transports: [restTransport({ port: Number(process.env.PORT || 3000), host: process.env.HOST })],
});

await server.start();

// Let requests under way end; a second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit()));
}
