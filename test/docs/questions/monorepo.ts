// apps/web/src/api.ts; the other package is apps/api, with `"exports": { "./server": "./src/server.ts" }`
import { createClient } from '../../../server-runtime/client/index.ts';
import type { server } from './monorepo-server.ts';

export const createApi = (baseUrl: string) => createClient<typeof server>({ baseUrl });
