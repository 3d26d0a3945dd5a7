import { expect, it } from 'vitest';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  defineInputGuard,
} from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';
import { describeOverSockets } from '../helpers/every-door.ts';

interface Context {
  readonly user: string | undefined;
}
const context = defineContext(
  ({ headers }): Context => ({ user: headers['x-user'] as string | undefined }),
);
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

describeOverSockets('guard', () => {
  it('made by defineGuard gets the context and rejects by throwing', async () => {
    expect(await ask({ context, capabilities }, 'GET /users/me')).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized' },
    });
  });

  it('lets through by returning', async () => {
    expect(
      await ask({ context, capabilities }, 'GET /users/me', { headers: { 'x-user': 'ann' } }),
    ).toMatchObject({
      status: 200,
      body: { data: 'ann' },
    });
  });

  it('rejects too where it returns the error that it meant to throw, at once or later', async () => {
    const secret = capability(() => 'secret');
    for (const refuse of [
      () => defaultErrors.Unauthorized(),
      async () => defaultErrors.Unauthorized(),
    ]) {
      const guarded = {
        users: {
          getMe: secret.guard(defineGuard(refuse as () => void)),
          saveMe: secret.inputGuard(defineInputGuard(refuse as () => void)),
        },
      };
      for (const path of ['GET /users/me', 'POST /users/save-me'])
        expect(await ask({ capabilities: guarded }, path)).toMatchObject({
          status: 401,
          body: { error: 'Unauthorized' },
        });
    }
  });
});
