import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../../server-runtime/client/index.ts';
import { capability, stream } from '../../../../server-runtime/index.ts';
import { openGeneratedClient } from '../../../helpers/generated-client.ts';

const User = z.object({ id: z.string(), name: z.string().optional() }).meta({ id: 'User' });
const capabilities = {
  users: {
    findUser: capability(() => undefined as z.infer<typeof User> | undefined, 'query')
      .route('GET', '/maybe')
      .output(User.optional()),
    listNames: capability(() => ['a', undefined], 'query')
      .route('GET', '/names')
      .output(z.array(z.string().optional())),
    getPair: capability(() => [undefined, 1] as [undefined, number], 'query')
      .route('GET', '/pair')
      .output(z.tuple([z.string().optional(), z.number()])),
    getUser: capability(() => ({ id: '1', name: undefined }), 'query').output(User),
    watchUsers: capability(async function* () {
      yield { id: '1' };
      yield undefined;
    }, 'query')
      .route('GET', '/watch')
      .output(stream(User.optional())),
  },
};

async function collect(items: unknown): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) all.push(item);
  return all;
}

it('is null in the document, on the wire and for both clients, and left out of an object', async () => {
  const { api, source, document, url } = await openGeneratedClient(capabilities, { calls: true });
  const generated = api['users'];
  expect(await generated?.['findUser']?.()).toBe(null);
  expect(await generated?.['listNames']?.()).toEqual(['a', null]);
  expect(await generated?.['getPair']?.()).toEqual([null, 1]);
  expect(await generated?.['getUser']?.()).toEqual({ id: '1' });
  expect(await collect(await generated?.['watchUsers']?.())).toEqual([{ id: '1' }, null]);
  expect(source).toContain('User | null');

  const answerOf = (path: string): unknown => document.paths[path]?.['get']?.responses['200'];
  const user = { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] };
  expect(answerOf('/maybe')).toMatchObject({
    content: { 'application/json': { schema: { properties: { data: user } } } },
  });
  expect(JSON.stringify(answerOf('/watch'))).toContain(JSON.stringify(user));

  // The compiler checks these types. Inside a value, the client of types gives what the handler gave.
  const { users } = createClient<typeof capabilities>({ baseUrl: url });
  const found: { readonly id: string } | null = await users.findUser();
  const names: readonly (string | undefined)[] = await users.listNames();
  const pair: readonly [string | undefined, number] = await users.getPair();
  expect([found, names, pair]).toEqual([null, ['a', undefined], [undefined, 1]]);
  const items: ({ readonly id: string } | null)[] = [];
  for await (const item of await users.watchUsers()) items.push(item);
  expect(items).toEqual([{ id: '1' }, null]);
});
