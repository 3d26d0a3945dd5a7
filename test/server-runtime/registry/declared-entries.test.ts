import { expect, test } from 'vitest';
import { capability } from '../../../server-runtime/capability/capability.ts';
import type { GroupTree } from '../../../server-runtime/capability/group-tree.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { group } from '../../../server-runtime/registry/group.ts';

const getItem = capability(() => null);
const listItems = capability(() => null);
const createItem = capability(() => null).describe(
  'A copy keeps the place of what it was made from',
);
const me = capability(() => null);

const keysOf = (tree: object) => compileRegistry(tree as never).operations.map(({ key }) => key);

/** As Node makes it: members in the order of the alphabet, no prototype. */
function toNamespace(members: object): object {
  const sorted = Object.fromEntries(
    Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return Object.assign(Object.create(null) as object, sorted, { [Symbol.toStringTag]: 'Module' });
}

/** As Bun makes it: the prototype has none itself. */
function toBunNamespace(members: object): object {
  const prototype = Object.assign(Object.create(null) as object, { __esModule: true });
  return Object.setPrototypeOf(toNamespace(members), prototype) as object;
}

/** As esbuild makes it. */
function toBundledNamespace(members: object): object {
  const descriptors = Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.defineProperties(
    {},
    Object.fromEntries(
      descriptors.map(([name, value]) => [name, { get: () => value as unknown, enumerable: true }]),
    ),
  );
}

test.each([
  ['of Node', toNamespace],
  ['of Bun', toBunNamespace],
  ['of a bundler', toBundledNamespace],
])(
  'the members of a module namespace %s come in the order in which they were declared',
  (_, namespace) => {
    const items = namespace({ getItem, listItems, createItem, version: 3 });
    expect(keysOf(namespace({ users: namespace({ me }), items }))).toEqual([
      'items.getItem',
      'items.listItems',
      'items.createItem',
      'users.me',
    ]);
    expect(keysOf({ items: group(namespace({ listItems, getItem }) as GroupTree) })).toEqual([
      'items.getItem',
      'items.listItems',
    ]);
  },
);

test('the members of an object come in the order in which they are written', () => {
  expect(keysOf({ users: { me }, items: { listItems, getItem } })).toEqual([
    'users.me',
    'items.listItems',
    'items.getItem',
  ]);
});
