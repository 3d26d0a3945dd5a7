import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../server-runtime/capability/definition.ts';
import {
  inferRoute,
  type UrlCase,
  urlCases,
} from '../../../../server-runtime/routing/infer-route.ts';
import { toRouteTable } from '../../../../server-runtime/routing/route-table.ts';
import { anyOperation } from '../arbitraries.ts';

interface Case {
  readonly id?: boolean;
  readonly intent?: Intent;
  readonly urlCase?: UrlCase;
}

/** The route of a capability given by its key: `users.getUser`, `products.variants.list`, `health`. */
function routeOf(key: string, { id = false, intent, urlCase }: Case = {}): string {
  const path = key.split('.');
  const operation = {
    groups: path.slice(0, -1),
    name: path.at(-1) ?? '',
    hasId: id,
    declaredIntent: intent,
  };
  const { method, path: route } = inferRoute(operation, urlCase);
  return `${method} ${route}`;
}

describe('the table of the contract', () => {
  it.each<[string, string, Case?]>([
    ['users.getUser', 'GET /users/:id', { id: true }],
    ['users.listUsers', 'GET /users'],
    ['users.getUsers', 'GET /users'],
    ['users.getMe', 'GET /users/me'],
    ['users.getStats', 'GET /users/stats'],
    ['users.findByEmail', 'GET /users'],
    ['users.createUser', 'POST /users'],
    ['users.updateUser', 'PATCH /users/:id'],
    ['users.replaceUser', 'PUT /users/:id'],
    ['users.deleteUser', 'DELETE /users/:id'],
    ['users.unfollow', 'DELETE /users/:id/follow'],
    ['users.bulkStatus', 'POST /users/bulk-status'],
    ['auth.register', 'POST /auth/register'],
    ['items.getItem', 'GET /items/:id', { id: true }],
    ['items.listItems', 'GET /items'],
    ['items.createItem', 'POST /items'],
  ])('%s is %s', (key, route, options) => {
    expect(routeOf(key, options)).toBe(route);
  });
});

describe('prefixes', () => {
  const rows: readonly (readonly [prefixes: string, route: string])[] = [
    ['list find fetch read search filter all', 'GET /things'],
    ['create add new', 'POST /things'],
    ['update edit patch modify', 'PATCH /things/:id'],
    ['replace set put', 'PUT /things/:id'],
    ['delete remove destroy cancel', 'DELETE /things/:id'],
  ];
  const cases = rows.flatMap(([prefixes, route]) =>
    prefixes.split(' ').map((prefix) => ({ prefix, route })),
  );

  it.each(cases)(
    '`$prefix` as the whole name, before a capital and before a digit is $route',
    ({ prefix, route }) => {
      for (const name of [prefix, `${prefix}Other`, `${prefix}2`]) {
        expect(routeOf(`things.${name}`), name).toBe(route);
        expect(routeOf(`things.${name}`, { id: true }), `${name} with id`).toBe(route);
      }
    },
  );

  it.each(cases)('`$prefix` before a small letter is a named action', ({ prefix }) => {
    expect(routeOf(`things.${prefix}x`)).toBe(`POST /things/${prefix}x`);
    expect(routeOf(`things.${prefix}x`, { intent: 'query' })).toBe(`GET /things/${prefix}x`);
  });

  it.each(cases)('`$prefix` beats every explicit intent', ({ prefix, route }) => {
    for (const intent of ['query', 'mutation', 'update', 'replace', 'delete'] as const) {
      expect(routeOf(`things.${prefix}Thing`, { intent })).toBe(route);
    }
  });

  it.each(['settle', 'address', 'newsletter', 'listen', 'checkout'])(
    '%s is a named action',
    (name) => {
      expect(routeOf(`shop.${name}`)).toBe(`POST /shop/${name}`);
    },
  );

  it('are written in small letters', () => {
    expect(routeOf('users.GetUser', { id: true })).toBe('POST /users/get-user');
  });
});

describe('get', () => {
  it.each<[string, string, Case?]>([
    ['users.getStats', 'GET /users/:id', { id: true }],
    ['users.get', 'GET /users/:id', { id: true }],
    ['users.get', 'GET /users'],
    ['users.getUser', 'GET /users'],
    ['users.getUSERS', 'GET /users'],
    ['user.getUsers', 'GET /user'],
    ['boxes.getBox', 'GET /boxes'],
    ['box.getBoxes', 'GET /box'],
    ['categories.getCategory', 'GET /categories'],
    ['category.getCategories', 'GET /category'],
    ['userGroups.getUserGroup', 'GET /user-groups'],
    ['status.getStatus', 'GET /status'],
    ['people.getPerson', 'GET /people/person'],
    ['users.getUserStats', 'GET /users/user-stats'],
    ['users.getAllUsers', 'GET /users/all-users'],
    ['users.get2fa', 'GET /users/2fa'],
    ['users.getURL', 'GET /users/url'],
    ['users.getaway', 'POST /users/getaway'],
    ['products.variants.getVariants', 'GET /products/variants'],
    ['products.variants.getProducts', 'GET /products/variants/products'],
  ])('%s is %s', (key, route, options) => {
    expect(routeOf(key, options)).toBe(route);
  });
});

describe('un', () => {
  it.each<[string, string, Case?]>([
    ['users.unfollow', 'DELETE /users/:id/follow', { intent: 'mutation' }],
    ['users.unfollow', 'DELETE /users/:id/follow', { intent: 'delete' }],
    ['users.unfollow', 'DELETE /users/:id/follow', { id: true }],
    ['users.unFollow', 'DELETE /users/:id/follow'],
    ['posts.unpinFromTop', 'DELETE /posts/:id/pin-from-top'],
    ['users.unfollow', 'GET /users/unfollow', { intent: 'query' }],
    ['users.unfollow', 'PATCH /users/unfollow', { intent: 'update' }],
    ['users.unfollow', 'PUT /users/unfollow', { intent: 'replace' }],
    ['users.un', 'POST /users/un'],
    ['users.una', 'POST /users/una'],
    ['users.unA1', 'POST /users/un-a1'],
    ['users.undoPayment', 'POST /users/undo-payment'],
    ['users.unitPrice', 'POST /users/unit-price'],
    ['users.units2', 'POST /users/units2'],
  ])('%s is %s', (key, route, options) => {
    expect(routeOf(key, options)).toBe(route);
  });

  it.each([
    'undo',
    'union',
    'unit',
    'units',
    'unique',
    'universe',
    'under',
    'understand',
    'underline',
    'until',
    'unless',
    'unicode',
  ])('%s is no un-verb', (name) => {
    expect(routeOf(`things.${name}`)).toBe(`POST /things/${name}`);
    expect(routeOf(`things.${name}`, { intent: 'query' })).toBe(`GET /things/${name}`);
  });
});

describe('named actions', () => {
  it.each<[Intent, string]>([
    ['query', 'GET'],
    ['mutation', 'POST'],
    ['update', 'PATCH'],
    ['replace', 'PUT'],
    ['delete', 'DELETE'],
  ])('with the intent %s are %s', (intent, method) => {
    expect(routeOf('users.bulkStatus', { intent })).toBe(`${method} /users/bulk-status`);
    expect(routeOf('users.bulkStatus', { intent, id: true })).toBe(`${method} /users/bulk-status`);
  });

  it.each(['me', 'status', 'health', 'count', 'check'])(
    'called %s are read without being told',
    (name) => {
      expect(routeOf(`app.${name}`)).toBe(`GET /app/${name}`);
      expect(routeOf(`app.${name}`, { intent: 'mutation' })).toBe(`POST /app/${name}`);
      expect(routeOf(`app.${name}All`)).toBe(`POST /app/${name}-all`);
    },
  );
});

describe('groups', () => {
  it.each<[string, string, Case?]>([
    ['getUser', 'GET /:id', { id: true }],
    ['getStats', 'GET /stats'],
    ['get', 'GET /'],
    ['list', 'GET /'],
    ['createItem', 'POST /'],
    ['updateItem', 'PATCH /:id'],
    ['unfollow', 'DELETE /:id/follow'],
    ['health', 'GET /health'],
    ['register', 'POST /register'],
    ['products.variants.get', 'GET /products/variants/:id', { id: true }],
    ['products.variants.list', 'GET /products/variants'],
    ['a.b.c.ping', 'POST /a/b/c/ping'],
    ['id.getId', 'GET /id/:id', { id: true }],
  ])('%s is %s', (key, route, options) => {
    expect(routeOf(key, options)).toBe(route);
  });
});

describe('urlCase', () => {
  it.each<[string, UrlCase, string]>([
    ['users.bulkStatus', 'kebab', 'POST /users/bulk-status'],
    ['users.bulkStatus', 'snake', 'POST /users/bulk_status'],
    ['users.bulkStatus', 'camel', 'POST /users/bulkStatus'],
    ['users.getStats', 'camel', 'GET /users/stats'],
    ['users.getActiveUsers', 'camel', 'GET /users/activeUsers'],
    ['users.getActiveUsers', 'snake', 'GET /users/active_users'],
    ['posts.unpinAll', 'snake', 'DELETE /posts/:id/pin_all'],
    ['posts.unPinAll', 'camel', 'DELETE /posts/:id/pinAll'],
    ['userGroups.list', 'kebab', 'GET /user-groups'],
    ['userGroups.list', 'snake', 'GET /user_groups'],
    ['userGroups.list', 'camel', 'GET /userGroups'],
    ['userGroups.getUserGroups', 'snake', 'GET /user_groups'],
    ['web.getHTMLPage', 'kebab', 'GET /web/html-page'],
    ['web.getV2Users', 'kebab', 'GET /web/v2-users'],
  ])('%s in %s is %s', (key, urlCase, route) => {
    expect(routeOf(key, { urlCase })).toBe(route);
  });
});

describe('inference of any capability', () => {
  it('gives a clean path with no parameter but one `id`, and never throws', () => {
    fc.assert(
      fc.property(anyOperation, fc.constantFrom(...urlCases), (operation, urlCase) => {
        const { path } = inferRoute(operation, urlCase);
        expect(path).toMatch(/^\/(:id|[a-zA-Z0-9_-]+)?(\/(:id|[a-zA-Z0-9_-]+))*$/);
        expect(path.match(/:/g)?.length ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same whatever the order of the capabilities', () => {
    const shuffled = fc
      .uniqueArray(anyOperation, { selector: ({ key }) => key, maxLength: 12 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(
      fc.property(shuffled, ([all, reordered]) => {
        const routes = new Map(
          toRouteTable(all).routes.map((route) => [route.operation.key, route]),
        );
        const table = toRouteTable(reordered);
        expect(table.routes.map((route) => route.operation)).toEqual(reordered);
        for (const route of table.routes) expect(route).toEqual(routes.get(route.operation.key));
      }),
    );
  });
});
