import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpMethods } from '../../../server-runtime/capability/http.ts';
import { createMatcher } from '../../../server-runtime/routing/create-matcher.ts';
import type { Route, RoutedOperation } from '../../../server-runtime/routing/route.ts';
import { toRouteTable } from '../../../server-runtime/routing/route-table.ts';
import { matchNaively } from './match-naively.ts';

/** Routes as they are printed: `GET /users/:id`. The operation's key is the index. */
function toRoutes(lines: readonly string[]): readonly Route[] {
  const operations = lines.map(
    (_, index): RoutedOperation => ({
      key: `r${index}`,
      groups: [],
      name: `r${index}`,
      hasId: false,
    }),
  );
  const overrides = lines.map((line, index) => {
    const [method = '', path = ''] = line.split(' ');
    return [`r${index}`, { method, path }];
  });
  const table = toRouteTable(operations, { overrides: Object.fromEntries(overrides) });
  expect(table.problems.filter(({ kind }) => kind === 'invalid-override')).toEqual([]);
  return table.routes;
}

/** What a request is answered by: `GET /users/:id {"id":"1"}`, `not-found`, `bad-path` or `405 GET, HEAD, OPTIONS`. */
function answer(routes: readonly Route[], request: string): string {
  const [method = '', path = ''] = request.split(' ');
  const match = createMatcher(routes)(method, path);
  switch (match.kind) {
    case 'matched':
      return `${match.route.method} ${match.route.path} ${JSON.stringify(match.params)}`;
    case 'method-not-allowed':
      return `405 ${match.allow.join(', ')}`;
    case 'not-found':
    case 'bad-path':
      return match.kind;
  }
}

const routes = toRoutes([
  'GET /',
  'GET /users',
  'POST /users',
  'GET /users/:id',
  'PATCH /users/:id',
  'POST /users/me',
  'GET /users/meow',
  'GET /users/:userId/orders',
  'GET /users/:userId/orders/:orderId',
  'DELETE /users/me/orders/all',
  'GET /café',
  'GET /a%2Fb',
  'GET /100%25',
  'GET /:tenant/info/:x/end',
  'GET /users/info/:y/start',
]);

describe('matching a request', () => {
  it.each([
    ['GET /', 'GET / {}'],
    ['GET /users', 'GET /users {}'],
    ['POST /users', 'POST /users {}'],
    ['GET /users/1', 'GET /users/:id {"id":"1"}'],
    ['GET /users/1/orders', 'GET /users/:userId/orders {"userId":"1"}'],
    ['GET /users/1/orders/2', 'GET /users/:userId/orders/:orderId {"userId":"1","orderId":"2"}'],
    ['GET /nothing', 'not-found'],
    ['GET /users/1/orders/2/3', 'not-found'],
    ['GET /user', 'not-found'],
    ['GET /userss', 'not-found'],
    ['GET /USERS', 'not-found'],
    ['GET users', 'not-found'],
    ['GET users/', 'not-found'],
    ['OPTIONS *', 'not-found'],
    ['GET ', 'not-found'],
    ['GET /users/__proto__', 'GET /users/:id {"id":"__proto__"}'],
  ])('%s finds %s', (request, expected) => {
    expect(answer(routes, request)).toBe(expected);
  });
});

describe('static text before a parameter', () => {
  it.each([
    ['GET /users/meow', 'GET /users/meow {}'],
    ['GET /users/meo', 'GET /users/:id {"id":"meo"}'],
    ['GET /users/meows', 'GET /users/:id {"id":"meows"}'],
    ['GET /users/me', 'GET /users/:id {"id":"me"}'],
    ['POST /users/me', 'POST /users/me {}'],
    [
      'GET /users/me/orders/all',
      'GET /users/:userId/orders/:orderId {"userId":"me","orderId":"all"}',
    ],
    ['GET /users/info/1/start', 'GET /users/info/:y/start {"y":"1"}'],
    ['GET /users/info/1/end', 'GET /:tenant/info/:x/end {"tenant":"users","x":"1"}'],
  ])('%s finds %s, going back where the text leads nowhere', (request, expected) => {
    expect(answer(routes, request)).toBe(expected);
  });

  it('the first of two equal routes wins', () => {
    expect(answer(toRoutes(['GET /a/:x', 'GET /a/:y']), 'GET /a/1')).toBe('GET /a/:x {"x":"1"}');
  });
});

describe('methods', () => {
  it.each([
    ['HEAD /users/1', 'GET /users/:id {"id":"1"}'],
    ['DELETE /users', '405 GET, HEAD, POST, OPTIONS'],
    [
      'HEAD /users/me/orders/all',
      'GET /users/:userId/orders/:orderId {"userId":"me","orderId":"all"}',
    ],
    ['PUT /users/me', '405 GET, HEAD, POST, PATCH, OPTIONS'],
    ['OPTIONS /users/1', '405 GET, HEAD, PATCH, OPTIONS'],
    ['PROPFIND /', '405 GET, HEAD, OPTIONS'],
    ['POST /users/me/orders/all', '405 GET, HEAD, DELETE, OPTIONS'],
    ['PUT /nothing', 'not-found'],
    ['constructor /nothing', 'not-found'],
  ])('%s finds %s', (request, expected) => {
    expect(answer(routes, request)).toBe(expected);
  });

  it('HEAD is not allowed where GET is not', () => {
    expect(answer(toRoutes(['POST /a']), 'HEAD /a')).toBe('405 POST, OPTIONS');
  });
});

describe('spelling of the path', () => {
  it.each([
    ['GET /users/', 'GET /users {}'],
    ['GET //users', 'GET /users {}'],
    ['GET //', 'GET / {}'],
    ['GET /users//1///orders//', 'GET /users/:userId/orders {"userId":"1"}'],
    ['GET /%75sers', 'GET /users {}'],
    ['GET /users/%6Deow', 'GET /users/meow {}'],
    ['GET /caf%C3%A9', 'GET /café {}'],
    ['GET /caf%c3%a9/', 'GET /café {}'],
    ['GET /a%2Fb', 'GET /a%2Fb {}'],
    ['GET /a%2fb', 'GET /a%2Fb {}'],
    ['GET /a/b', 'not-found'],
    ['GET /100%25', 'GET /100%25 {}'],
    ['GET /users/a%2Fb%3Fc%23d%25', 'GET /users/:id {"id":"a/b?c#d%"}'],
    ['GET /users/a%252Fb', 'GET /users/:id {"id":"a%2Fb"}'],
    ['GET /users/%20a+b', 'GET /users/:id {"id":" a+b"}'],
    ['GET /users/%E2%82%AC', 'GET /users/:id {"id":"€"}'],
    ['DELETE /users/', '405 GET, HEAD, POST, OPTIONS'],
    ['GET /users/%', 'bad-path'],
    ['GET /users/%zz', 'bad-path'],
    ['GET /users/%C3', 'bad-path'],
    ['GET /%ff/nothing', 'bad-path'],
    ['PUT /users/%', 'bad-path'],
    ['GET /100%', 'bad-path'],
  ])('%s finds %s', (request, expected) => {
    expect(answer(routes, request)).toBe(expected);
  });
});

describe('any table and any request', () => {
  const text = fc.constantFrom('a', 'ab', 'abc', 'b', 'é', '%C3%A9', 'a%2Fb', '%61', '%25', 'v1.2');
  const segment = fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 2, arbitrary: fc.constant(':') },
  );
  const line = fc
    .tuple(fc.constantFrom(...httpMethods), fc.array(segment, { maxLength: 4 }))
    .map(([method, segments]) => {
      const named = segments.map((each, index) => (each === ':' ? `:p${index}` : each));
      return `${method} /${named.join('/')}`;
    });
  const requested = fc.oneof(text, fc.constantFrom('', 'zz', '%', '%ff', '%2F', 'A', ':p0', '..'));
  const request = fc.tuple(
    fc.constantFrom(...httpMethods, 'HEAD', 'OPTIONS', 'PURGE'),
    fc.array(requested, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  );

  it('agree with a naive matcher', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 25 }),
        fc.array(request, { minLength: 1, maxLength: 20 }),
        (lines, requests) => {
          const table = toRoutes(lines);
          const match = createMatcher(table);
          for (const [method, path] of requests)
            expect(match(method, path), `${method} ${path}`).toEqual(
              matchNaively(table, method, path),
            );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('give every parameter back as it was before it was encoded', () => {
    const match = createMatcher(routes);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (userId, orderId) => {
          const path = `/users/${encodeURIComponent(userId)}/orders/${encodeURIComponent(orderId)}`;
          expect(match('GET', path)).toMatchObject({
            kind: 'matched',
            params: { userId, orderId },
          });
        },
      ),
    );
  });
});
