import * as z from 'zod';
import { capability, createServer, group, restTransport } from '../../../server-runtime/index.ts';

const ById = z.object({ id: z.string() });
const getUser = capability(ById, ({ id }) => ({ id, name: 'Ada Lovelace' })).deprecated({
  since: '2026-06-01',
  use: 'v2.users.getUser',
});
const getUserV2 = capability(ById, ({ id }) => ({ id, first: 'Ada', last: 'Lovelace' }));

export const server = createServer({
  capabilities: {
    v1: group('/v1', { users: { getUser } }),
    v2: group('/v2', { users: { getUser: getUserV2 } }),
  },
  transports: [restTransport({ port: 3000 })],
});
