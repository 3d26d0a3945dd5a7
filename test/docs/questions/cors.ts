import { capability, cors, createServer, restTransport } from '../../../server-runtime/index.ts';

const listItems = capability(() => [{ id: '1' }]);

export const server = createServer({
  capabilities: { items: { listItems } },
  transports: [
    restTransport({
      port: 3000,
      ...cors({ origin: ['https://app.example.org'], credentials: true }),
    }),
  ],
});
