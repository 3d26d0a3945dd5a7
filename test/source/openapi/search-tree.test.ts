import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability-factory.ts';
import { generateOpenAPI } from '../../../server-runtime/openapi/generate-openapi.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { toSymbols } from '../../../source/kit/theme/tokens.ts';
import { newTree, type TreeNode, toTreeRows } from '../../../source/kit/tree/tree-state.ts';
import { revealNode, toDocumentTree } from '../../../source/openapi/document-tree.ts';
import { searchTree } from '../../../source/openapi/search-tree.ts';

const item = z.object({ id: z.string(), owner: z.string() }).meta({ id: 'Item' });
const document = generateOpenAPI(
  compileRegistry({
    items: {
      getItem: capability(z.object({ id: z.string() }), () => ({ id: '1', owner: 'a' })).output(item),
      createItem: capability(item, () => null).describe('Puts an item on the shelf'),
    },
    orders: { listOrders: capability(() => []) },
  }),
);
const nodes = toDocumentTree(document, { symbols: toSymbols({}), changedIds: new Set() });

/** Ids of the rows that are seen. */
function findIds(query: string): readonly string[] {
  return toTreeRows(searchTree(nodes, query).nodes, new Set()).map(({ node }) => node.id);
}

it.each([
  { query: 'shelf', ids: ['#/paths', '#/paths/~1items/post'], count: 1 },
  {
    query: 'orders 500',
    ids: ['#/paths', '#/paths/~1orders/get', '#/paths/~1orders/get/responses', '#/paths/~1orders/get/responses/500'],
    count: 1,
  },
  {
    query: 'OWNER string',
    ids: [
      '#/components',
      '#/components/schemas',
      '#/components/schemas/Item',
      '#/components/schemas/Item/properties',
      '#/components/schemas/Item/properties/owner',
    ],
    count: 1,
  },
  { query: 'paths', ids: ['#/paths'], count: 1 },
  { query: 'unheard', ids: [], count: 0 },
])('finds $query', ({ query, ids, count }) => {
  expect(findIds(query)).toEqual(ids);
  expect(searchTree(nodes, query).count).toBe(count);
});

it('marks the letters that it found', () => {
  const [paths] = searchTree(nodes, 'shelf').nodes;
  const [operation] = paths?.children ?? [];
  expect(operation?.line.filter(({ token }) => token === 'match')).toEqual([{ text: 'shelf', token: 'match' }]);
});

it('does not make the children of an operation that has none of the words', () => {
  const asked: string[] = [];
  const watched = nodes.map((node): TreeNode => {
    const children = (node.children ?? []).map((child) => ({
      id: child.id,
      line: child.line,
      allText: (child as { readonly allText?: string }).allText ?? '',
      get children() {
        asked.push(child.id);
        return child.children ?? [];
      },
    }));
    return node.id === '#/paths' ? { id: node.id, line: node.line, children } : node;
  });
  expect(searchTree(watched, 'owner').count).toBeGreaterThan(0);
  expect(asked).not.toContain('#/paths/~1orders/get');
});

it('opens everything that a node is in to show it', () => {
  const id = '#/components/schemas/Item/properties/owner';
  const { list, toggled } = revealNode(newTree, nodes, id);
  expect(list.selectedKey).toBe(id);
  expect(toTreeRows(nodes, toggled).map(({ node }) => node.id)).toContain(id);
});

it('leaves the tree as it is where a node is not there', () => {
  expect(revealNode(newTree, nodes, '#/components/schemas/Gone')).toBe(newTree);
});
