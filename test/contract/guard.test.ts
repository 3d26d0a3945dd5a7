import { describe, expect, it } from 'vitest';
import { capability, defaultErrors, defineContext, defineGuard } from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';

interface Context {
  readonly user: string | undefined;
}
const context = defineContext(({ headers }): Context => ({ user: headers['x-user'] as string | undefined }));
const mustBeUser = defineGuard((ctx: Context) => {
  if (!ctx.user) throw defaultErrors.Unauthorized();
});
const capabilities = {
  users: {
    getMe: capability
      .withContext<Context>()((_input, ctx) => ctx.user)
      .guard(mustBeUser),
  },
};

describe('guard', () => {
  it('made by defineGuard gets the context and rejects by throwing', async () => {
    expect(await ask({ context, capabilities }, 'GET /users/me')).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized' },
    });
  });

  it('lets through by returning', async () => {
    expect(await ask({ context, capabilities }, 'GET /users/me', { headers: { 'x-user': 'ann' } })).toMatchObject({
      status: 200,
      body: { data: 'ann' },
    });
  });
});
