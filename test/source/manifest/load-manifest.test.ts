import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defaultErrors,
  defineGuard,
} from '../../../server-runtime/index.ts';
import {
  type CheckedOptions,
  loadCheckedManifest,
} from '../../../source/check/rules/load-checked-manifest.ts';
import { toSchemaFields } from '../../../source/document/schema-fields.ts';
import { toTypeText } from '../../../source/document/type-text.ts';
import type { LoadedRegistry } from '../../../source/manifest/loaded-registry.ts';
import { findContract, toCapabilities } from '../../../source/manifest/manifest.ts';

const mustBeUser = defineGuard(() => {}, {
  name: 'mustBeUser',
  errors: [defaultErrors.Unauthorized],
});
const id = z.object({ id: z.string() });
const users = {
  listUsers: capability(() => []),
  getUser: capability(id, () => null).guard(mustBeUser),
  createUser: capability(
    z.object({ age: z.coerce.number(), isAdmin: z.coerce.boolean() }),
    () => null,
  ),
  getFile: capability(z.object({ path: z.string() }), () => null)
    .route('GET', '/files/*path')
    .route('GET', '/old/*path'),
};

function load(tree: Parameters<typeof compileRegistry>[0], options: CheckedOptions = {}) {
  const project = { root: '/shop', name: 'shop', entryFile: '/shop/src/capabilities.ts' };
  const loaded: LoadedRegistry = {
    kind: 'loaded',
    project,
    registry: compileRegistry(tree),
    restOptions: {},
    files: [],
  };
  return loadCheckedManifest(loaded, options);
}

describe('the manifest of a project', () => {
  it('lists the capabilities in the order of declaration, whatever paths they share', async () => {
    const keys = toCapabilities(await load({ users })).map(({ name }) => name);
    expect(keys).toEqual(['listUsers', 'getUser', 'createUser', 'getFile']);
  });

  it('says of an input what its author wrote, and not what else the server takes', async () => {
    const [, , createUser] = toCapabilities(await load({ users }));
    const input = createUser?.declaredInput();
    expect(input && toSchemaFields(input).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'age: number',
      'isAdmin: boolean',
    ]);
  });

  it('has two routes that clash, each with its input, and gives callers no document', async () => {
    const same = capability(id, () => null).route('GET', '/users/:id');
    const manifest = await load({ users: { ...users, findUser: same } }, { published: {} });
    const clashing = toCapabilities(manifest).filter(({ path }) => path === '/users/:id');
    expect(clashing.map(({ name, input }) => [name, toTypeText(input()!)])).toEqual([
      ['getUser', 'object'],
      ['findUser', 'object'],
    ]);
    expect([findContract(manifest), manifest.published]).toEqual([undefined, undefined]);
  });

  it('says in an outline what it says in full, but for schemas and reasons', async () => {
    const [full, outline] = [await load({ users }), await load({ users }, { hasSchemas: false })];
    const toFacts = (manifest: typeof full) =>
      toCapabilities(manifest).map(({ key, method, path, params, otherRoutes, facts }) => {
        const { input: _input, ...said } = facts;
        return { key, method, path, params, otherRoutes, said };
      });
    expect(toFacts(outline)).toEqual(toFacts(full));
    expect(toCapabilities(outline).map(({ input }) => input())).toEqual(
      toCapabilities(outline).map(() => undefined),
    );
  });
});
