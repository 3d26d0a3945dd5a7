import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../server-runtime/capability/definition.ts';
import type { DeclaredRoute } from '../../../server-runtime/capability/http.ts';
import type { RoutedOperation, RouteOverrides } from '../../../server-runtime/routing/route.ts';
import {
  type RouteTableOptions,
  toRouteTable,
} from '../../../server-runtime/routing/route-table.ts';

interface OperationOptions {
  readonly id?: boolean;
  readonly intent?: Intent;
}

function operation(key: string, { id = false, intent }: OperationOptions = {}): RoutedOperation {
  const path = key.split('.');
  return {
    key,
    groups: path.slice(0, -1),
    name: path.at(-1) ?? '',
    hasId: id,
    declaredIntent: intent,
  };
}

function routesOf(operations: readonly RoutedOperation[], options?: RouteTableOptions): string[] {
  return toRouteTable(operations, options).routes.map(({ method, path }) => `${method} ${path}`);
}

const getUser = operation('users.getUser', { id: true });
const listUsers = operation('users.listUsers');
const listTasks = operation('projects.listTasks');

describe('the route table', () => {
  it('keeps the order of declaration and the operations themselves', () => {
    const { routes, problems } = toRouteTable([listUsers, getUser]);
    expect(routes.map((route) => route.operation)).toEqual([listUsers, getUser]);
    expect(routes[1]?.operation).toBe(getUser);
    expect(problems).toEqual([]);
  });

  it('gives each route its parameters', () => {
    expect(toRouteTable([operation('blogPosts.unpin')]).routes[0]).toMatchObject({
      method: 'DELETE',
      path: '/blog-posts/:id/pin',
      routerPath: '/blog-posts/:id/pin',
      params: ['id'],
      rule: { id: 'un', prefix: 'un' },
    });
  });

  it('writes all paths in the configured case', () => {
    expect(routesOf([operation('userGroups.bulkStatus')], { urlCase: 'snake' })).toEqual([
      'POST /user_groups/bulk_status',
    ]);
  });
});

describe('an override', () => {
  it.each<[string, string, string]>([
    ['GET', '/projects/:projectId/tasks', 'GET /projects/:projectId/tasks'],
    ['post', '//projects//:projectId/', 'POST /projects/:projectId'],
    ['Put', '/', 'PUT /'],
    ['DELETE', '/caf%C3%A9/:name', 'DELETE /caf%C3%A9/:name'],
    ['PATCH', '/café/v1.2/a@b', 'PATCH /café/v1.2/a@b'],
    ['GET', '/users%3Abatch', 'GET /users%3Abatch'],
  ])('%s %s gives the route %s', (method, path, route) => {
    const table = toRouteTable([listTasks], {
      overrides: { 'projects.listTasks': { method, path } as DeclaredRoute },
    });
    expect(table.routes.map((each) => `${each.method} ${each.path}`)).toEqual([route]);
    expect(table.routes[0]?.rule).toEqual({ id: 'override' });
    expect(table.problems).toEqual([]);
  });

  it.each<[unknown, string]>([
    [
      { method: 'FETCH', path: '/a' },
      'has the method "FETCH"; use one of GET, POST, PUT, PATCH, DELETE',
    ],
    [{ method: 'HEAD', path: '/a' }, 'has the method "HEAD"'],
    [{ method: 'options', path: '/a' }, 'has the method "options"'],
    [{ method: 'GET', path: 'a' }, 'does not begin with a slash; write "/a"'],
    [{ method: 'GET', path: '' }, 'does not begin with a slash'],
    [{ method: 'GET', path: '/a b' }, 'has "a b"; a segment is text'],
    [{ method: 'GET', path: '/:id/b/:id' }, 'names the parameter `:id` twice'],
    ...': :a? :a.:b :__proto__ :constructor :prototype user-:id {id} * a?b=1 a#b 100% .. %2e%2E .'
      .split(' ')
      .map((segment): [unknown, string] => [
        { method: 'GET', path: `/a/${segment}/b` },
        `has a path that has "${segment}"; a segment is text (percent-encoded: %3F for ?) or one parameter`,
      ]),
    [{ path: '/a' }, 'give it both'],
    [{ method: 'GET' }, 'give it both'],
    [undefined, 'give it both'],
    [null, 'give it both'],
  ])('%j is refused and leaves the inferred route', (override, reason) => {
    const overrides = { 'projects.listTasks': override } as NonNullable<
      RouteTableOptions['overrides']
    >;
    const { routes, problems } = toRouteTable([listTasks], { overrides });
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /projects']);
    expect(problems).toMatchObject([
      { kind: 'invalid-override', severity: 'error', key: 'projects.listTasks' },
    ]);
    expect(problems[0]?.message).toContain('`projects.listTasks`');
    expect(problems[0]?.message).toContain(reason);
  });

  it.each<[string, string | undefined]>([
    ['users.getUsr', 'users.getUser'],
    ['users.listusers', 'users.listUsers'],
    ['orders.cancel', undefined],
  ])('for the unknown key %s is a warning that suggests %s', (key, nearest) => {
    const { problems } = toRouteTable([getUser, listUsers], {
      overrides: { [key]: { method: 'GET', path: '/x' } },
    });
    expect(problems).toMatchObject([{ kind: 'unknown-override', severity: 'warning', key }]);
    expect(problems[0]?.message).toContain(
      nearest === undefined ? 'correct the key' : `Did you mean \`${nearest}\`?`,
    );
  });

  it('is not found for a capability that is called like a member of every object', () => {
    expect(toRouteTable([operation('constructor')], { overrides: {} })).toMatchObject({
      routes: [{ method: 'POST', path: '/constructor' }],
      problems: [],
    });
  });
});

describe('two capabilities with one route', () => {
  it.each<[string, readonly RoutedOperation[], RouteTableOptions, string]>([
    ['the same inferred path', [listUsers, operation('users.findByEmail')], {}, 'GET /users'],
    [
      'names that are spelled alike in a path',
      [operation('a.syncURL'), operation('a.syncUrl')],
      {},
      'POST /a/sync-url',
    ],
    [
      'parameters of other names',
      [getUser, operation('users.peek')],
      { overrides: { 'users.peek': { method: 'GET', path: '/users/:userId' } } },
      'GET /users/:userId',
    ],
    [
      'another spelling of the same text',
      [operation('a.ping'), operation('a.pong')],
      {
        overrides: {
          'a.ping': { method: 'GET', path: '/caf%c3%a9' },
          'a.pong': { method: 'GET', path: '/café' },
        },
      },
      'GET /café',
    ],
  ])(
    'by %s are an error that names both and prints an override that solves it',
    (_, operations, options, route) => {
      const { problems } = toRouteTable(operations, options);
      const keys = operations.map(({ key }) => key);
      expect(problems).toMatchObject([{ kind: 'duplicate-route', severity: 'error', keys }]);
      const [problem] = problems;
      if (problem?.kind !== 'duplicate-route') throw new Error('expected a duplicate');
      expect(`${problem.method} ${problem.path}`).toBe(route);
      for (const key of keys) expect(problem.message).toContain(`\`${key}\``);
      expect(problem.message).toContain(
        `'${keys[1]}': { method: '${problem.override.method}', path: '${problem.override.path}' }`,
      );

      const overrides = { ...options.overrides, [problem.keys[1]]: problem.override };
      expect(toRouteTable(operations, { ...options, overrides }).problems).toEqual([]);
    },
  );

  it('are solved by the printed overrides however many there are, and whatever paths are taken', () => {
    const names = ['getUser', 'getAccount', 'getPerson', 'getUSER'];
    const operations = [
      ...names.map((name) => operation(`users.${name}`, { id: true })),
      operation('users.block'),
    ];
    const taken: RouteOverrides = {
      'users.block': { method: 'GET', path: '/users/get-account/:any' },
    };
    const { problems } = toRouteTable(operations, { overrides: taken });
    expect(problems).toHaveLength(3);
    const solved = problems.flatMap((problem) =>
      problem.kind === 'duplicate-route' ? [[problem.keys[1], problem.override]] : [],
    );
    expect(
      toRouteTable(operations, { overrides: { ...taken, ...Object.fromEntries(solved) } }).problems,
    ).toEqual([]);
  });

  it.each<[string, readonly RoutedOperation[], RouteTableOptions]>([
    ['methods differ', [listUsers, operation('users.createUser')], {}],
    [
      'one path goes on',
      [getUser, operation('users.orders')],
      { overrides: { 'users.orders': { method: 'GET', path: '/users/:userId/orders' } } },
    ],
    ['one has text where the other has a parameter', [getUser, operation('users.getMe')], {}],
    [
      'a colon is text',
      [operation('a.ping'), operation('a.pong')],
      {
        overrides: {
          'a.ping': { method: 'GET', path: '/:x' },
          'a.pong': { method: 'GET', path: '/%3Ax' },
        },
      },
    ],
    [
      'a slash is text',
      [operation('a.ping'), operation('a.pong')],
      {
        overrides: {
          'a.ping': { method: 'GET', path: '/a/b' },
          'a.pong': { method: 'GET', path: '/a%2Fb' },
        },
      },
    ],
  ])('are none when %s', (_, operations, options) => {
    expect(toRouteTable(operations, options).problems).toEqual([]);
  });
});

describe('a declared intent', () => {
  it('that the name contradicts is a warning', () => {
    const { problems } = toRouteTable([
      operation('users.getUser', { id: true, intent: 'mutation' }),
    ]);
    expect(problems).toMatchObject([
      {
        kind: 'intent-contradiction',
        severity: 'warning',
        key: 'users.getUser',
      },
    ]);
    expect(problems[0]?.message).toContain('GET /users/:id');
  });

  it('that agrees with the name is none', () => {
    const operations = [
      operation('users.updateUser', { intent: 'mutation' }),
      operation('users.archive', { intent: 'update' }),
    ];
    expect(toRouteTable(operations).problems).toEqual([]);
  });
});

it('is built in a time that grows with the number of routes, not with its square', () => {
  const cpuTimeOf = (count: number): number => {
    const operations = Array.from({ length: count }, (_, i) =>
      operation(`group${i % 500}.action${i % (count / 2)}`),
    );
    const started = process.cpuUsage();
    const { problems } = toRouteTable(operations);
    const { user, system } = process.cpuUsage(started);
    expect(problems).toHaveLength(count / 2);
    return user + system;
  };
  cpuTimeOf(5000);
  const small = cpuTimeOf(5000);
  expect(cpuTimeOf(80_000) / small).toBeLessThan(16 * 6);
});
