import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  compileRegistry,
  type GroupTree,
  type Intent,
} from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';
import { startOverSocket } from '../helpers/start-rest.ts';
import * as itemsModule from './fixtures/items.ts';

const id = z.object({ id: z.string() });
const none = z.object({});

function named(name: string, schema: z.ZodType = none, intent?: Intent): GroupTree {
  return { users: { [name]: capability(schema, () => name, intent) } };
}

async function expectAnswer(capabilities: GroupTree, request: string, data: unknown) {
  expect({ request, body: (await ask({ capabilities }, request)).body }).toEqual({
    request,
    body: { data },
  });
}

describe('the registry, in detail', () => {
  it('a key or group that is not letters and digits from a letter on is an error that names the place', () => {
    const getUser = capability(none, () => 1);
    expect(() => compileRegistry({ users: { 'get-user': getUser } })).toThrow(
      /'get-user' in group 'users'/,
    );
    expect(() => compileRegistry({ '1users': { getUser } })).toThrow(/'1users' at the root/);
  });

  it('groups nest, all of them in the path; names are compared with the last, and a capability at the root has none', async () => {
    await expectAnswer(
      { shop: { products: { getProducts: capability(() => 'nested') } } },
      'GET /shop/products',
      'nested',
    );
    await expectAnswer({ health: capability(() => 'fine') }, 'GET /health', 'fine');
  });

  it('a module namespace is a group', () =>
    expectAnswer({ items: itemsModule }, 'GET /items', 'all items'));

  it('the order of capabilities is the order of declaration', async () => {
    expect(compileRegistry({ items: itemsModule }).operations.map(({ name }) => name)).toEqual([
      'zebra',
      'listItems',
      'getItem',
    ]);
  });
});

describe('routes, in detail', () => {
  it('a prefix ends before a capital or a digit: settle, address, newsletter, listen and checkout are actions', async () => {
    for (const name of ['settle', 'address', 'newsletter', 'listen', 'checkout']) {
      await expectAnswer(named(name), `POST /users/${name}`, name);
    }
    await expectAnswer(named('list2'), 'GET /users', 'list2');
  });

  it('un… needs no capital; words as undo, union, unique, under… and until are not un-verbs', async () => {
    await expectAnswer(named('unpin', id), 'DELETE /users/7/pin', 'unpin');
    for (const name of [
      'undo',
      'union',
      'unit',
      'units',
      'unique',
      'universe',
      'understand',
      'until',
      'unless',
      'unicode',
    ]) {
      await expectAnswer(named(name), `POST /users/${name}`, name);
    }
    await expectAnswer(named('unread', none, 'query'), 'GET /users/unread', 'unread');
  });

  it('a prefix beats a declared intent', () =>
    expectAnswer(named('createUser', none, 'query'), 'POST /users', 'createUser'));

  it('an id is found through optional, default, nullable, readonly, pipe, transform and both sides of an intersection', async () => {
    const wrapped: z.ZodType[] = [
      id.optional(),
      id.default({ id: '1' }),
      id.nullable(),
      id.readonly(),
      id.pipe(z.object({ id: z.string() })),
      id.transform((value) => value),
      id.and(none),
      none.and(id),
    ];
    for (const schema of wrapped)
      await expectAnswer(named('getUser', schema), 'GET /users/7', 'getUser');
    await expectAnswer(
      named('getUser', z.object({ ID: z.string() })),
      'GET /users?ID=7',
      'getUser',
    );
  });

  it('list… with an id stays at /<group>, with id in the query', async () => {
    const users = { listUsers: capability(id, (input) => input) };
    await expectAnswer({ users }, 'GET /users?id=7', { id: '7' });
  });

  it('the rest of a get… is the group where it is its singular or plural, in any letter case, or empty', async () => {
    const getAll = capability(none, () => 1);
    await expectAnswer({ categories: { getCategory: getAll } }, 'GET /categories', 1);
    await expectAnswer({ orderItems: { getOrderitem: getAll } }, 'GET /order-items', 1);
    await expectAnswer({ boxes: { getBox: getAll } }, 'GET /boxes', 1);
    await expectAnswer({ users: { list: getAll } }, 'GET /users', 1);
  });

  it('rests and verbs begin small, also in camel case', async () => {
    const answer = await ask(
      { capabilities: named('getActiveUsers'), rest: { urlCase: 'camel' } },
      'GET /users/activeUsers',
    );
    expect(answer.status).toBe(200);
  });

  it('words keep their runs: getURL is get-url, HTMLPage html-page, v2Users v2-users', async () => {
    await expectAnswer(named('getURL'), 'GET /users/url', 'getURL');
    await expectAnswer(named('HTMLPage'), 'POST /users/html-page', 'HTMLPage');
    await expectAnswer(named('v2Users'), 'POST /users/v2-users', 'v2Users');
  });

  it('two capabilities on one route are an error at start that names both and prints an override', async () => {
    const users = { listUsers: capability(() => 1), findUsers: capability(() => 2) };
    const started = startOverSocket({ capabilities: { users } });
    await expect(started).rejects.toThrow(/users\.listUsers.*users\.findUsers/s);
    await expect(started).rejects.toThrow(/overrides.*method.*path/s);
  });

  it('/users/:id beside /users/:userId/orders is fine', async () => {
    const overrides = { 'users.orders': { method: 'GET', path: '/users/:userId/orders' } } as const;
    const users = {
      getUser: capability(id, () => 'user'),
      orders: capability(z.object({ userId: z.string() }), () => 'orders'),
    };
    expect(
      (await ask({ capabilities: { users }, rest: { overrides } }, 'GET /users/7')).body,
    ).toEqual({
      data: 'user',
    });
    expect(
      (await ask({ capabilities: { users }, rest: { overrides } }, 'GET /users/7/orders')).body,
    ).toEqual({
      data: 'orders',
    });
  });

  it('static segments come before parameters, with backtracking', async () => {
    const overrides = { 'users.tail': { method: 'GET', path: '/users/:id/tail' } } as const;
    const users: Record<string, AnyCapability> = {
      getUser: capability(id, () => 'by id'),
      getMe: capability(none, () => 'me'),
      tail: capability(id, (input) => input),
    };
    expect(
      (await ask({ capabilities: { users }, rest: { overrides } }, 'GET /users/me')).body,
    ).toEqual({ data: 'me' });
    expect(
      (await ask({ capabilities: { users }, rest: { overrides } }, 'GET /users/me/tail')).body,
    ).toEqual({
      data: { id: 'me' },
    });
  });

  it('405 comes only where no route of the path takes the method, with Allow as the union', async () => {
    const users = { getMe: capability(none, () => 1), updateUser: capability(id, () => 'updated') };
    await expectAnswer({ users }, 'PATCH /users/me', 'updated');
    const { status, headers } = await ask({ capabilities: { users } }, 'DELETE /users/me');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, OPTIONS']);
  });

  it('a slash at the end and doubled slashes are ignored', () =>
    expectAnswer(named('getMe'), 'GET //users//me/', 'getMe'));

  it('a path that cannot be decoded is 400', async () => {
    expect(await ask({ capabilities: named('getUser', id) }, 'GET /users/%E0%A4%A')).toMatchObject({
      status: 400,
    });
  });

  it('an override of a key that does not exist is a warning at start', async () => {
    const overrides = { 'users.nobody': { method: 'GET', path: '/x' } } as const;
    const { log } = await startOverSocket({ capabilities: named('getMe'), rest: { overrides } });
    expect(log.warnings.join()).toContain('users.nobody');
  });
});
