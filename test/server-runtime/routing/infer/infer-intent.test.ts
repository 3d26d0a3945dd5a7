import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../server-runtime/capability/definition.ts';
import { findContradicted, inferIntent } from '../../../../server-runtime/routing/infer-route.ts';

describe('the effective intent', () => {
  it.each<[string, Intent]>([
    ['getUser', 'query'],
    ['listUsers', 'query'],
    ['all', 'query'],
    ['createUser', 'mutation'],
    ['updateUser', 'update'],
    ['setName', 'replace'],
    ['cancelOrder', 'delete'],
    ['unfollow', 'delete'],
    ['me', 'query'],
    ['status', 'query'],
    ['health', 'query'],
    ['count', 'query'],
    ['check', 'query'],
    ['checkout', 'mutation'],
    ['undo', 'mutation'],
    ['constructor', 'mutation'],
  ])('of %s is %s when none is declared', (name, intent) => {
    expect(inferIntent(name)).toBe(intent);
  });

  it.each<[string, Intent, Intent]>([
    ['getUser', 'mutation', 'query'],
    ['updateUser', 'mutation', 'update'],
    ['createUser', 'query', 'mutation'],
    ['unfollow', 'mutation', 'delete'],
    ['unfollow', 'query', 'query'],
    ['me', 'mutation', 'mutation'],
    ['archive', 'update', 'update'],
    ['archive', 'query', 'query'],
  ])('of %s declared as %s is %s', (name, declared, intent) => {
    expect(inferIntent(name, declared)).toBe(intent);
  });

  it.each<[string, Intent, boolean]>([
    ['getUser', 'query', false],
    ['getUser', 'mutation', true],
    ['createUser', 'mutation', false],
    ['createUser', 'update', true],
    ['updateUser', 'mutation', false],
    ['updateUser', 'replace', true],
    ['deleteUser', 'query', true],
    ['unfollow', 'query', false],
    ['archive', 'delete', false],
  ])('%s declared as %s: contradiction %s', (name, declared, expected) => {
    expect(findContradicted(name, declared) !== undefined).toBe(expected);
  });
});
