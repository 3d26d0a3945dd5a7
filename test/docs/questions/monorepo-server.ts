// apps/api/src/server.ts
import * as z from 'zod';
import { capability, createServer, restTransport } from '../../../server-runtime/index.ts';

const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, since: new Date(0) }));

export const server = createServer({
  capabilities: { users: { getUser } },
  transports: [restTransport({ port: 3000, calls: true })],
});
