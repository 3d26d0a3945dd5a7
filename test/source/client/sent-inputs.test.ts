import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { openGeneratedClient } from '../../helpers/generated-client.ts';

const Filter = z.object({ state: z.enum(['open', 'closed']), min: z.number(), tags: z.array(z.string()).optional() });

it('sends objects and lists of them in a query as the document says, and they arrive as they were', async () => {
  const search = z.object({
    filter: Filter.optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.int() })).optional(),
    matrix: z.array(z.array(z.number())).optional(),
    counts: z.record(z.string(), z.number()).optional(),
    ids: z.array(z.number()).optional(),
    limit: z.union([z.number(), z.literal('all')]).optional(),
  });
  const by = z.discriminatedUnion('by', [
    z.object({ by: z.literal('near'), km: z.number() }),
    z.object({ by: z.literal('name'), km: z.string() }),
  ]);
  const { api, document } = await openGeneratedClient({
    orders: { searchOrders: capability(search, (input) => input) },
    shops: { searchShops: capability(by, (input) => input) },
  });
  const input = {
    filter: { state: 'open', min: 1.5, tags: ['a', 'b'] },
    lines: [
      { sku: '1', count: 1 },
      { sku: '2', count: 2 },
    ],
    matrix: [[1, 2], [3]],
    counts: { a: 1, 'b c': 2 },
    ids: [1, 2],
    limit: 5,
  };
  expect(await api['orders']?.['searchOrders']?.(input)).toEqual(input);
  expect(await api['orders']?.['searchOrders']?.({ limit: 'all' })).toEqual({ limit: 'all' });
  expect(await api['shops']?.['searchShops']?.({ by: 'near', km: 5 })).toEqual({ by: 'near', km: 5 });
  expect(await api['shops']?.['searchShops']?.({ by: 'name', km: '5' })).toEqual({ by: 'name', km: '5' });

  const parameters = document.paths['/orders']?.['get']?.parameters ?? [];
  expect(Object.fromEntries(parameters.map(({ name, style, explode }) => [name, [style, explode]]))).toEqual({
    filter: ['deepObject', true],
    lines: ['deepObject', true],
    matrix: ['deepObject', true],
    counts: ['deepObject', true],
    ids: [undefined, undefined],
    limit: [undefined, undefined],
  });
});
