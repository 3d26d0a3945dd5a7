import { createServer, restTransport } from 'capix';
import { capabilities, restOptions } from './capabilities.js';
import { context } from './context.js';

const port = Number(process.env['PORT'] ?? 3000);

await createServer({
  context,
  capabilities,
  transports: [restTransport({ ...restOptions, port })],
}).start();
