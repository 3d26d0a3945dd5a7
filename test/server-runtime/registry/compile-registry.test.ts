import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defineGuard,
  type GroupTree,
  withTimeout,
} from '../../../server-runtime/index.ts';

const cap = capability(() => 1);

describe('compileRegistry', () => {
  it('lists capabilities in the order of declaration, with keys of groups inside groups', () => {
    const registry = compileRegistry({
      users: { getUser: cap, createUser: cap },
      ping: cap,
      products: { variants: { list: cap } },
    });
    expect(registry.operations.map(({ key, groups, name }) => [key, groups, name])).toEqual([
      ['users.getUser', ['users'], 'getUser'],
      ['users.createUser', ['users'], 'createUser'],
      ['ping', [], 'ping'],
      ['products.variants.list', ['products', 'variants'], 'list'],
    ]);
    expect(registry.find('ping')?.name).toBe('ping');
    expect(registry.find('pong')).toBeUndefined();
  });

  it('takes a module namespace as a group and passes over what is no capability', () => {
    const namespace = Object.assign(Object.create(null) as object, {
      getUser: cap,
      store: new Map(),
      helper: () => 1,
      LIMIT: 3,
      settings: { dark: true },
    });
    expect(
      compileRegistry({ users: namespace, version: '1' } as never).operations.map(({ key }) => key),
    ).toEqual(['users.getUser']);
  });

  it('works out the intent, the id and the timeout of each', () => {
    const registry = compileRegistry({
      users: {
        getUser: capability(z.object({ id: z.string() }), () => 1),
        rename: capability(() => 1, 'update')
          .enhance(withTimeout(5))
          .enhance(withTimeout(9)),
        check: cap,
      },
    });
    expect(
      registry.operations.map(({ intent, declaredIntent, hasId, timeoutMs }) => ({
        intent,
        declaredIntent,
        hasId,
        timeoutMs,
      })),
    ).toEqual([
      { intent: 'query', declaredIntent: undefined, hasId: true, timeoutMs: undefined },
      { intent: 'update', declaredIntent: 'update', hasId: false, timeoutMs: 9 },
      { intent: 'query', declaredIntent: undefined, hasId: false, timeoutMs: undefined },
    ]);
  });

  it.each([
    ['a capability', { users: { 'get-user': cap } }, "'get-user' in group 'users'"],
    ['a group', { 'my users': { getUser: cap } }, "'my users' at the root"],
    ['a group inside groups', { shop: { '2nd': { getUser: cap } } }, "'2nd' in group 'shop'"],
    ['an underscore', { users: { get_user: cap } }, "'get_user' in group 'users'"],
  ])('names the place of a bad name: %s', (_, tree, place) => {
    expect(() => compileRegistry(tree)).toThrow(place);
  });

  it.each([[undefined], [null], ['x'], [3]])('says what it expects instead of %s', (tree) => {
    expect(() => compileRegistry(tree as never)).toThrow(/expected groups of capabilities/);
  });

  it('gives back a compiled registry, and ends on a tree that contains itself', () => {
    const registry = compileRegistry({ users: { getUser: cap } });
    expect(compileRegistry(registry)).toBe(registry);
    const tree: Record<string, GroupTree> = { users: { getUser: cap } };
    tree['self'] = tree;
    expect(compileRegistry(tree).operations).toHaveLength(1);
  });

  it('knows capabilities of another copy of the package by their mark', () => {
    const foreign = {
      [Symbol.for('capix.capability')]: {
        handler: () => 1,
        guards: [defineGuard(() => {})],
        inputGuards: [],
        enhancers: [],
        routes: [],
      },
    };
    expect(compileRegistry({ users: { getUser: foreign } }).operations).toHaveLength(1);
  });
});
