import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../server-runtime/capability/definition.ts';
import { explainRoute } from '../../../../server-runtime/routing/explain-route.ts';
import { inferRoute } from '../../../../server-runtime/routing/infer-route.ts';
import { anyOperation } from '../arbitraries.ts';

interface Row {
  readonly name: string;
  readonly id?: boolean;
  readonly intent?: Intent;
  readonly fired: string;
  readonly nearest: string;
  readonly change: string;
}

describe('why a capability of `users` has its route', () => {
  it.each<Row>([
    {
      name: 'getUser',
      id: true,
      fired: 'GET /users/:id: `getUser` starts with `get` and the input has `id`.',
      nearest:
        'GET /users (starts with `get`, the input has no `id`, and the rest of the name is the group or empty) does not apply, because the input has an `id` field.',
      change: 'Remove `id` from the input.',
    },
    {
      name: 'getStats',
      fired:
        'GET /users/stats: `getStats` starts with `get`, the input has no `id`, and the rest of the name is not the group.',
      nearest:
        'GET /users/:id (starts with `get` and the input has `id`) does not apply, because the input has no `id` field.',
      change: 'Add `id` to the input.',
    },
    {
      name: 'findByEmail',
      fired: 'GET /users: `findByEmail` starts with `find`.',
      nearest:
        'GET /users/by-email (starts with `get`, the input has no `id`, and the rest of the name is not the group) does not apply, because the name starts with `find`, not `get`.',
      change: 'Rename it to `getByEmail`.',
    },
    {
      name: 'listUsers',
      fired: 'GET /users: `listUsers` starts with `list`.',
      nearest:
        'GET /users/:id (starts with `get` and the input has `id`) does not apply, because the name starts with `list`, not `get`, and the input has no `id` field.',
      change: 'Rename it to `getUsers` and add `id` to the input.',
    },
    {
      name: 'editUser',
      fired: 'PATCH /users/:id: `editUser` starts with `edit`.',
      nearest:
        'PUT /users/:id (starts with `replace`) does not apply, because the name starts with `edit`, not `replace`.',
      change: 'Rename it to `replaceUser`.',
    },
    {
      name: 'addMember',
      fired: 'POST /users: `addMember` starts with `add`.',
      nearest:
        'POST /users/add-member (has an entry in `overrides`) does not apply, because there is no entry for `users.addMember`.',
      change: "Add to `overrides`: 'users.addMember': { method: 'POST', path: '/users/add-member' }.",
    },
    {
      name: 'settle',
      fired: 'POST /users/settle: `settle` matches no prefix and has the intent `mutation`.',
      nearest:
        'PUT /users/:id (starts with `set`) does not apply, because after `set` comes neither a capital nor a digit.',
      change: 'Rename it to `setTle`.',
    },
    {
      name: 'undo',
      fired: 'POST /users/undo: `undo` matches no prefix and has the intent `mutation`.',
      nearest:
        'DELETE /users/:id/do (starts with `un` and a verb) does not apply, because `undo` is a word of its own, not the undoing of a verb.',
      change: 'Rename it to `unDo`.',
    },
    {
      name: 'unfollow',
      intent: 'query',
      fired: 'GET /users/unfollow: `unfollow` matches no prefix and has the intent `query`.',
      nearest:
        'DELETE /users/:id/follow (starts with `un` and a verb) does not apply, because the intent is not `mutation`.',
      change: 'Declare the intent `mutation`.',
    },
    {
      name: 'register',
      fired: 'POST /users/register: `register` matches no prefix and has the intent `mutation`.',
      nearest:
        'GET /users/register (matches no prefix and has the intent `query`) does not apply, because the intent is not `query`.',
      change: 'Declare the intent `query`.',
    },
  ])('$name', ({ name, id = false, intent, fired, nearest, change }) => {
    const explanation = explainRoute({
      key: `users.${name}`,
      groups: ['users'],
      name,
      hasId: id,
      declaredIntent: intent,
    });
    expect(explanation).toMatchObject({ fired, nearest, change });
  });

  it('is the override, where there is one', () => {
    const operation = { key: 'users.getUser', groups: ['users'], name: 'getUser', hasId: true };
    expect(explainRoute(operation, { override: { method: 'get', path: '/people/:id' } })).toMatchObject({
      fired: 'GET /people/:id: `users.getUser` has an entry in `overrides`.',
      nearest:
        'GET /users/:id (starts with `get` and the input has `id`) does not apply, because the override replaces it.',
      change: 'Remove the entry of `users.getUser` from `overrides`.',
    });
  });
});

it('proposes for any capability a change that leads to another route', () => {
  fc.assert(
    fc.property(anyOperation, (operation) => {
      const { method, path } = inferRoute(operation);
      const { fired, alternative } = explainRoute(operation);
      expect(fired.startsWith(`${method} ${path}: `)).toBe(true);
      expect(alternative).not.toEqual({ method, path });
    }),
    { numRuns: 1000 },
  );
});
