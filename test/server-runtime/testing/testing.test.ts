import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../server-runtime/index.ts';
import { mockContext, testServer } from '../../../server-runtime/testing/test-server.ts';

interface Context {
  readonly user: string | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}
const context = defineContext(({ headers, requestId }) => ({
  user: headers['x-user'] as string | undefined,
  requestId,
}));
const mustBeUser = defineGuard((ctx: Context) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});
const cap = capability.withContext<Context>();
const capabilities = {
  users: {
    getUser: cap(z.object({ id: z.string() }), ({ id }, { user }) => ({ id, user: user ?? null })),
    createUser: cap(z.object({ name: z.string() }), ({ name }, { requestId }) => ({
      name,
      requestId,
    })).guard(mustBeUser),
  },
};

describe.each([{ listen: true }, { listen: false }])('testServer with %j', ({ listen }) => {
  it('answers requests made with fetch', async () => {
    await using api = await testServer({ context, capabilities, listen });
    const response = await api.fetch('/users/a%2Fb', { headers: { 'x-user': 'ann' } });
    expect([response.status, await response.json()]).toEqual([
      200,
      { data: { id: 'a/b', user: 'ann' } },
    ]);
  });

  it('sends `json` as the body of a POST', async () => {
    await using api = await testServer({ context, capabilities, listen });
    const response = await api.fetch('/users', {
      json: { name: 'Ann' },
      headers: { 'x-user': 'ann', 'x-request-id': 'r1' },
    });
    expect(await response.json()).toEqual({ data: { name: 'Ann', requestId: 'r1' } });
    expect((await api.fetch('/users', { json: {} })).status).toBe(401);
  });

  it('calls capabilities without HTTP', async () => {
    await using api = await testServer({ context, capabilities, listen });
    expect(
      await api.invoke({
        capability: 'users.getUser',
        input: { id: '1' },
        headers: { 'X-User': 'bob' },
      }),
    ).toEqual({ id: '1', user: 'bob' });
  });

  it('takes the options of the transport', async () => {
    await using api = await testServer({
      context,
      capabilities,
      listen,
      rest: { overrides: { 'users.getUser': { method: 'GET', path: '/people/:id' } } },
    });
    expect((await api.fetch('/people/1')).status).toBe(200);
    expect((await api.fetch('/users/1')).status).toBe(404);
  });
});

describe('testServer', () => {
  it('listens on a free port of this machine until it is stopped', async () => {
    const api = await testServer({ context, capabilities });
    expect(api.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${api.url}/users/1`)).status).toBe(200);
    await api.stop();
    await expect(fetch(`${api.url}/users/1`)).rejects.toThrow('fetch failed');
  });
});

describe('mockContext', () => {
  it('lets a capability run with what it is given', async () => {
    expect(
      await capabilities.users.createUser.resolve({ name: 'Ann' }, mockContext({ user: 'ann' })),
    ).toEqual({
      name: 'Ann',
      requestId: 'test',
    });
  });

  it('has a request id and a signal that never fires', () => {
    expect(mockContext()).toMatchObject({ requestId: 'test', signal: { aborted: false } });
  });
});
