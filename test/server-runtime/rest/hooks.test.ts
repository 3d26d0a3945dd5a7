import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, defaultErrors } from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor, itOverHttp } from '../../helpers/every-door.ts';
import { json } from '../../helpers/start-rest.ts';

const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), ({ id }) => {
      if (id === '0') throw defaultErrors.NotFound({ id });
      return { id };
    }),
    createItem: capability(z.object({ name: z.string() }), (input) => input),
  },
};

describeThroughEveryDoor('hooks', (start) => {
  itOverHttp('see each request, its answer and its failure', async () => {
    const seen: unknown[] = [];
    const hooks = {
      onRequest: ({ method, url, path }: { method: string; url: string; path: string }) =>
        void seen.push([method, url, path]),
      onResponse: ({
        capability: key,
        status,
        durationMs,
        request,
      }: {
        capability: string | undefined;
        status: number;
        durationMs: number;
        request: { requestId: string };
      }) =>
        void seen.push([key, status, durationMs >= 0 && durationMs < 60_000, request.requestId]),
      onError: ({
        capability: key,
        failure,
        error,
      }: {
        capability: string | undefined;
        failure: { name: string };
        error: unknown;
      }) => void seen.push([key, failure.name, error instanceof Error]),
    };
    const { request } = await start({ capabilities, hooks });
    const headers = { 'x-request-id': 'r1' };
    await request('/items/7?x=1', { headers });
    await request('/items/0', { headers });
    await request('/nowhere', { headers });
    await request('/items', {
      ...json('{'),
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(seen).toEqual([
      ['GET', '/items/7?x=1', '/items/7'],
      ['items.getItem', 200, true, 'r1'],
      ['GET', '/items/0', '/items/0'],
      ['items.getItem', 'NotFound', true],
      ['items.getItem', 404, true, 'r1'],
      ['GET', '/nowhere', '/nowhere'],
      [undefined, 'NotFound', false],
      [undefined, 404, true, 'r1'],
      ['POST', '/items', '/items'],
      ['items.createItem', 'BadRequest', false],
      ['items.createItem', 400, true, 'r1'],
    ]);
  });

  it.each([['onRequest'], ['onResponse'], ['onError']])(
    'that fail in %s are logged and change nothing',
    async (hook) => {
      for (const fail of [
        () => {
          throw new Error('sync');
        },
        () => Promise.reject(new Error('async')),
      ]) {
        const { request, log } = await start({ capabilities, hooks: { [hook]: fail } });
        expect((await request('/items/7')).status).toBe(200);
        expect((await request('/items/0')).status).toBe(404);
        expect(log.errors[0]?.message).toContain(hook);
      }
    },
  );
});
