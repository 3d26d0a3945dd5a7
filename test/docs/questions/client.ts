import { isApiError, toQuery } from '../../../server-runtime/client/index.ts';
import { createClient } from './api-client.ts'; // capix client --output src/api-client.ts

export async function readUser(baseUrl: string, token: string, id: string): Promise<string> {
  const api = createClient({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  try {
    return (await api.users.getUser({ id })).name;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return 'nobody';
    throw error;
  }
}

/** In React with TanStack Query: `useQuery(userQuery(api, '7'))`. */
export const userQuery = (api: ReturnType<typeof createClient>, id: string) =>
  toQuery(api.users.getUser, { id });
