import { describe, expect, it } from 'vitest';
import type { SecurityScheme } from '../../../server-runtime/capability/guard.ts';
import {
  capability,
  defineGuard,
  type Guard,
  generateOpenAPI,
  group,
} from '../../../server-runtime/index.ts';
import { operationOf } from '../../helpers/openapi-parts.ts';

const capabilities = {
  users: { getUser: capability(() => 1), admins: { listAdmins: capability(() => 1) } },
};

describe('the texts of a document', () => {
  it('tell who answers questions, the licence, and the purpose of each group', () => {
    const contact = { name: 'Ann', email: 'ann@example.org' };
    const license = { name: 'MIT', identifier: 'MIT' };
    const { info, tags } = generateOpenAPI(capabilities, {
      title: 'A',
      version: '1',
      contact,
      license,
      tags: { 'users.admins': 'Who may do all' },
    });
    expect(info).toEqual({ title: 'A', version: '1', contact, license });
    expect(tags).toEqual([
      { name: 'users' },
      { name: 'users.admins', description: 'Who may do all' },
    ]);
  });

  it('are edited last', () => {
    const document = generateOpenAPI(capabilities, {
      edit: (all) => ({ ...all, info: { ...all.info, title: 'Mine' } }),
    });
    expect(document.info.title).toBe('Mine');
    expect(Object.keys(document.paths)).toHaveLength(2);
  });

  it('name groups that there are', () => {
    expect(() => generateOpenAPI(capabilities, { tags: { user: 'Oh' } })).toThrow(
      "tags: there is no group 'user'. Groups are users, users.admins.",
    );
  });
});

describe('the security of an operation', () => {
  const bearer: SecurityScheme = { type: 'http', scheme: 'bearer' };
  const key: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const oauth: SecurityScheme = { type: 'oauth2', flows: {} };
  const securityOf = (...guards: readonly Guard[]) => {
    const guarded = guards.reduce<typeof capability>(
      (made, guard) => made.guard(guard as Guard<object>) as never,
      capability,
    );
    return operationOf(
      'getThing',
      guarded(() => 1),
    ).security;
  };
  const check = (): void => {};

  it('is one of several credentials', () => {
    expect(securityOf(defineGuard(check, { security: [bearer, key] }))).toEqual([
      { bearerAuth: [] },
      { apiKeyAuth: [] },
    ]);
  });

  it('has the scopes of what has scopes', () => {
    const guard = defineGuard(check, { security: [oauth, key], scopes: ['orders:read'] });
    expect(securityOf(guard)).toEqual([{ oauth2: ['orders:read'] }, { apiKeyAuth: [] }]);
    const other = defineGuard(check, { security: oauth, scopes: ['orders:write'] });
    expect(securityOf(guard, other)).toEqual([
      { oauth2: ['orders:read', 'orders:write'] },
      { apiKeyAuth: [], oauth2: ['orders:write'] },
    ]);
  });

  it('may be left out', () => {
    expect(securityOf(defineGuard(check, { security: bearer, isOptional: true }))).toEqual([
      { bearerAuth: [] },
      {},
    ]);
  });

  it('asks for what every guard asks for', () => {
    const guards = [
      defineGuard(check, { security: [bearer, key] }),
      defineGuard(check),
      defineGuard(check, { security: key }),
    ];
    expect(securityOf(...guards)).toEqual([{ bearerAuth: [], apiKeyAuth: [] }, { apiKeyAuth: [] }]);
  });
});

it('describes a group as it was declared, wherever it stands, unless `tags` says otherwise', () => {
  const one = capability(() => 1);
  const items = group({ one, old: { one } }, { description: 'What is sold' });
  const tree = { shop: group({ one, items }, { description: 'The shop' }), items };
  const describe = (tags?: Record<string, string>) =>
    generateOpenAPI(tree, { tags }).tags?.map(({ name, description }) => `${name}: ${description}`);
  expect(describe()).toEqual([
    'shop: The shop',
    'shop.items: What is sold',
    'shop.items.old: undefined',
    'items: What is sold',
    'items.old: undefined',
  ]);
  expect(describe({ items: 'Nothing' })).toContain('items: Nothing');
});
