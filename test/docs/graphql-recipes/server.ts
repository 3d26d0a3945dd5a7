import { graphqlTransport } from '../../../server-runtime/graphql/index.ts';
import { createServer, restTransport } from '../../../server-runtime/index.ts';
import { capabilities } from './capabilities.ts';

export const server = createServer({
  capabilities,
  transports: [restTransport({ port: 0 }), graphqlTransport({ webSocket: true })],
});
