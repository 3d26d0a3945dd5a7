import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  type Intent,
  type RestOptions,
} from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';

const withId = z.object({ id: z.string() });
const none = z.object({});

function declare(schema: z.ZodType, intent?: Intent): AnyCapability {
  return capability(schema, (input) => input, intent);
}

/** Asks a server that has nothing but these capabilities of `users`; the request must reach the only one there is. */
async function expectRoute(
  name: string,
  route: string,
  declared: AnyCapability = declare(none),
  rest: RestOptions = {},
) {
  const { status, body } = await ask(
    { capabilities: { users: { [name]: declared } }, rest },
    route,
  );
  expect({ name, route, status, body }).toMatchObject({ status: 200, body: { data: {} } });
}

describe('the table of routes', () => {
  it('getUser with an id is GET /users/:id', () =>
    expectRoute('getUser', 'GET /users/7', declare(withId)));
  it('listUsers is GET /users', () => expectRoute('listUsers', 'GET /users'));
  it('getUsers is GET /users', () => expectRoute('getUsers', 'GET /users'));
  it('getMe is GET /users/me', () => expectRoute('getMe', 'GET /users/me'));
  it('getStats is GET /users/stats', () => expectRoute('getStats', 'GET /users/stats'));
  it('findByEmail is GET /users', () =>
    expectRoute('findByEmail', 'GET /users?email=a', declare(z.object({ email: z.string() }))));
  it('createUser is POST /users', () => expectRoute('createUser', 'POST /users'));
  it('updateUser is PATCH /users/:id', () =>
    expectRoute('updateUser', 'PATCH /users/7', declare(withId)));
  it('replaceUser is PUT /users/:id', () =>
    expectRoute('replaceUser', 'PUT /users/7', declare(withId)));
  it('deleteUser is DELETE /users/:id', () =>
    expectRoute('deleteUser', 'DELETE /users/7', declare(withId)));
  it('unfollow is DELETE /users/:id/follow', () =>
    expectRoute('unfollow', 'DELETE /users/7/follow', declare(withId)));
  it('bulkStatus is POST /users/bulk-status', () =>
    expectRoute('bulkStatus', 'POST /users/bulk-status'));
  it('register in the group auth is POST /auth/register', async () => {
    const { status } = await ask(
      { capabilities: { auth: { register: declare(none) } } },
      'POST /auth/register',
    );
    expect(status).toBe(200);
  });
});

describe('rules of route inference', () => {
  it('1: get… with an id in the input is GET /<group>/:id', async () => {
    await expectRoute('getUser', 'GET /users/7', declare(withId));
    await expectRoute('getProfile', 'GET /users/7', declare(withId));
  });

  it('2: list…, find…, fetch…, read…, search…, filter… and all… are always GET /<group>', async () => {
    for (const prefix of ['list', 'find', 'fetch', 'read', 'search', 'filter', 'all']) {
      await expectRoute(`${prefix}Active`, 'GET /users?id=7', declare(withId));
    }
  });

  it('3: get… without an id is GET /<group> where the rest is the name of the group, else GET /<group>/<rest>', async () => {
    for (const name of ['getUsers', 'getUser', 'get']) await expectRoute(name, 'GET /users');
    await expectRoute('getActiveUsers', 'GET /users/active-users');
  });

  it('4: create…, add… and new… are POST /<group>', async () => {
    for (const prefix of ['create', 'add', 'new'])
      await expectRoute(`${prefix}User`, 'POST /users');
  });

  it('5: un… is DELETE /<group>/:id/<verb>', async () => {
    await expectRoute('unfollow', 'DELETE /users/7/follow', declare(withId));
    await expectRoute('unsubscribeAll', 'DELETE /users/7/subscribe-all', declare(withId));
  });

  it('6: update…, edit…, patch… and modify… are PATCH /<group>/:id', async () => {
    for (const prefix of ['update', 'edit', 'patch', 'modify']) {
      await expectRoute(`${prefix}User`, 'PATCH /users/7', declare(withId));
    }
  });

  it('7: replace…, set… and put… are PUT /<group>/:id', async () => {
    for (const prefix of ['replace', 'set', 'put'])
      await expectRoute(`${prefix}User`, 'PUT /users/7', declare(withId));
  });

  it('8: delete…, remove…, destroy… and cancel… are DELETE /<group>/:id', async () => {
    for (const prefix of ['delete', 'remove', 'destroy', 'cancel']) {
      await expectRoute(`${prefix}User`, 'DELETE /users/7', declare(withId));
    }
  });

  it('9: any other name with the intent query is GET /<group>/<key>', () =>
    expectRoute('topSellers', 'GET /users/top-sellers', declare(none, 'query')));

  it('10: any other name with the intent mutation is POST /<group>/<key>', () =>
    expectRoute('sendInvoice', 'POST /users/send-invoice', declare(none, 'mutation')));

  it('11: keys and verbs are in the configured case, kebab, snake or camel', async () => {
    const cases = { kebab: 'bulk-status', snake: 'bulk_status', camel: 'bulkStatus' } as const;
    for (const [urlCase, word] of Object.entries(cases) as [keyof typeof cases, string][]) {
      await expectRoute('bulkStatus', `POST /users/${word}`, declare(none), { urlCase });
      await expectRoute('unbulkStatus', `DELETE /users/7/${word}`, declare(withId), { urlCase });
    }
  });

  it('12: an override replaces method and path, and its path parameters are merged into the input', async () => {
    const overrides = {
      'users.getUser': { method: 'POST', path: '/projects/:projectId/users/:id' },
    } as const;
    const getUser = declare(z.object({ id: z.string(), projectId: z.string() }));
    const options = { capabilities: { users: { getUser } }, rest: { overrides } };
    expect((await ask(options, 'POST /projects/p1/users/7')).body).toEqual({
      data: { id: '7', projectId: 'p1' },
    });
    expect((await ask(options, 'GET /users/7')).status).toBe(404);
  });
});
