import { expect, it } from 'vitest';
import {
  capability,
  createServer,
  defineContext,
  definePlugin,
  type Plugin,
} from '../../../server-runtime/index.ts';
import { describeInvocations, describeOverSockets } from '../../helpers/every-door.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const cap = capability.withContext<Record<string, unknown>>();
const tenancy = definePlugin({
  name: 'tenancy',
  context: ({ headers }) => ({ tenant: headers['x-tenant'] }),
});

describeOverSockets('a key of the context that a builder and a plugin set', () => {
  it('is 500, and both owners are named in the log of the first request', async () => {
    const { request, log } = await startOverSocket({
      context: defineContext(() => ({ tenant: 1 })),
      plugins: [tenancy],
      capabilities: { users: { listUsers: cap(() => []) } },
    });
    expect((await request('/users')).status).toBe(500);
    expect(String(log.errors[0]?.error)).toBe(
      "TypeError: Both the context builder and tenancy set 'tenant' in the context. Rename it in one of them.",
    );
  });

  it('is an error between plugins too, also between two of one name', async () => {
    const server = createServer({
      plugins: [
        tenancy,
        definePlugin({ name: 'tenancy', context: () => ({ tenant: 2 }) }),
      ] as readonly Plugin[],
      capabilities: { users: { listUsers: cap(() => []) } },
    });
    await expect(server.invoke({ capability: 'users.listUsers' })).rejects.toThrow(
      "Both tenancy and tenancy set 'tenant'",
    );
  });
});

describeOverSockets('what plugins add to a context', () => {
  const plain = {
    reveal: () => 'of the object',
    get lazy() {
      return 'read late';
    },
  };

  it.each<[string, object]>([
    ['object', plain],
    ['frozen object', Object.freeze({ reveal: () => 'of the object' })],
  ])(
    'is of one request, also where the builder returns the same %s every time',
    async (_what, built) => {
      const server = createServer({
        context: defineContext(() => built),
        plugins: [tenancy],
        capabilities: {
          users: {
            getTenant: cap(async (_input, ctx) => {
              await Promise.resolve();
              return [
                ctx['tenant'],
                (ctx['reveal'] as () => string).call(ctx).slice(0, 6),
                ctx['signal'] instanceof AbortSignal,
              ];
            }),
          },
        },
      });
      const ask = (tenant: string) =>
        server.invoke({ capability: 'users.getTenant', headers: { 'x-tenant': tenant } });
      for (const tenant of ['a', 'b']) expect(await ask(tenant)).toEqual([tenant, 'of the', true]);
      expect(await Promise.all(['c', 'd'].map(ask))).toEqual([
        ['c', 'of the', true],
        ['d', 'of the', true],
      ]);
      expect(Object.keys(built)).not.toContain('tenant');
    },
  );
});

describeInvocations('a context', (serve) => {
  it('has getters that are asked only by whoever reads it, and a handler may set a field', async () => {
    let asked = 0;
    const context = defineContext(() => ({
      get db() {
        return ++asked;
      },
    }));
    const getNothing = cap(() => null);
    const getSome = cap((_input, ctx) => {
      ctx['requestId'] = 'own';
      return [ctx['db'], ctx['requestId']];
    });
    const invoke = serve({ context, capabilities: { users: { getNothing, getSome } } });
    await invoke({ capability: 'users.getNothing' });
    expect(asked).toBe(0);
    expect(await invoke({ capability: 'users.getSome' })).toEqual([1, 'own']);
  });
});
