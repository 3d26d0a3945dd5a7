import { createServer, restTransport } from 'capix';
import { webSocketTransport } from 'capix/websocket';
import { createApp } from './app.ts';
import { queue } from './queue.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const { app, rest, assistant } = createApp(settings);

export const server = createServer({
  ...app,
  transports: [
    restTransport({ ...rest, port: settings.PORT, trustProxy: 'loopback' }),
    webSocketTransport(),
    assistant,
    queue,
  ],
});
await server.start();

// Let requests under way end; a second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.stop().then(() => process.exit()));
