import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { generateOpenAPI } from '../../../server-runtime/openapi/generate-openapi.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { countRows, filterRows, openPath, type Row, toSeenRows } from '../../../source/kit/row.ts';
import { toDocumentTree } from '../../../source/openapi/document-tree.ts';

const item = z.object({ id: z.string(), owner: z.string() }).meta({ id: 'Item' });
const document = generateOpenAPI(
  compileRegistry({
    items: {
      getItem: capability(z.object({ id: z.string() }), () => ({ id: '1', owner: 'a' })).output(
        item,
      ),
      createItem: capability(item, () => null).describe('Puts an item on the shelf'),
    },
    orders: { listOrders: capability(() => []) },
  }),
);
const nodes = toDocumentTree(document, { changedIds: new Set() });

/** Ids of the rows that are seen. */
function findIds(query: string): readonly string[] {
  return toSeenRows(filterRows(nodes, query), new Set()).map(({ row }) => row.id);
}

it.each([
  { query: 'shelf', ids: ['#/paths', '#/paths/~1items/post'], count: 1 },
  {
    query: 'orders 500',
    ids: [
      '#/paths',
      '#/paths/~1orders/get',
      '#/paths/~1orders/get/responses',
      '#/paths/~1orders/get/responses/500',
    ],
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
  expect(countRows(filterRows(nodes, query))).toBe(count);
});

it('does not make the rows of an operation that has none of the words', () => {
  const asked: string[] = [];
  const watched = nodes.map((node): Row => {
    const children = (node.children ?? []).map((child) => ({
      id: child.id,
      line: child.line,
      allText: child.allText ?? '',
      get children() {
        asked.push(child.id);
        return child.children ?? [];
      },
    }));
    return node.id === '#/paths' ? { id: node.id, line: node.line, children } : node;
  });
  expect(countRows(filterRows(watched, 'owner'))).toBeGreaterThan(0);
  expect(asked).not.toContain('#/paths/~1orders/get');
});

it('opens everything that a row is in to show it', () => {
  const id = '#/components/schemas/Item/properties/owner';
  const around = [
    '#/components',
    '#/components/schemas',
    '#/components/schemas/Item',
    '#/components/schemas/Item/properties',
  ];
  const toggled = openPath(nodes, new Set(), new Set(around));
  expect(toSeenRows(nodes, toggled).map(({ row }) => row.id)).toContain(id);
});
