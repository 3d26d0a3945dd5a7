import * as z from 'zod';
import { capability, defineContext, withIdempotency } from '../../server-runtime/index.ts';
import { type ErrorBody, json, type StartRestOptions, startOverSocket } from './start-rest.ts';

/** The input of `serveKeyed`. */
export const Input = z.object({ name: z.string() });
const context = defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined }));

/** A server on which `POST /items` gives the number of its run, or what `handle` makes of it. */
export async function serveKeyed(
  handle: (run: number) => unknown = (run) => ({ run }),
  options: Partial<StartRestOptions> & { idempotency?: Parameters<typeof withIdempotency>[0] } = {},
) {
  let runs = 0;
  const { idempotency, ...rest } = options;
  const createItem = capability
    .withContext<{ user: string | undefined }>()(Input, () => handle(++runs))
    .enhance(
      withIdempotency({
        by: (_input: unknown, ctx: { user?: string | undefined }) => ctx.user,
        ...idempotency,
      }),
    );
  const started = await startOverSocket({
    context,
    capabilities: { items: { createItem } },
    ...rest,
  });
  const post = async (
    key: string | undefined,
    { name = 'a', headers = {} }: { name?: string; headers?: object } = {},
  ) => {
    const { headers: type, ...init } = json({ name });
    const response = await started.request('/items', {
      ...init,
      headers: {
        ...type,
        ...headers,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      } as Record<string, string>,
    });
    const body = (await response.json()) as { readonly data: { readonly run: number } } & ErrorBody;
    return {
      status: response.status,
      body,
      headers: response.headers,
      replayed: response.headers.get('idempotency-replayed'),
    };
  };
  return { ...started, post, runs: () => runs };
}

/** A POST of JSON with a key. */
export function withKey(key: string, value: unknown): RequestInit {
  const { headers, ...init } = json(value);
  return { ...init, headers: { ...(headers as Record<string, string>), 'idempotency-key': key } };
}
