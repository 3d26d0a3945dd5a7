import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  type Call,
  createClient,
  createClientOf,
  pages,
} from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  generateOpenAPI,
  pageOf,
} from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

const Invoice = z.object({ id: z.string(), at: z.date() });
const orgCap = capability.input(z.object({ orgId: z.string() }));
const listInvoices = orgCap.output(pageOf(Invoice))(({ orgId, cursor = '0', limit = 2 }) => {
  const first = Number(cursor);
  const items = [...Array(limit).keys()].map((at) => ({
    id: `${orgId}${first + at}`,
    at: new Date(first),
    secret: 1,
  }));
  return { items, nextCursor: first + limit >= 4 ? null : String(first + limit) };
}, 'query');
const capabilities = { invoices: { listInvoices } };

it('reads its limit as any other number: from text as digits, and from JSON as a number alone', async () => {
  const createInvoices = orgCap.output(pageOf(Invoice))(() => ({ items: [] }));
  const api = await testServer({ capabilities: { invoices: { listInvoices, createInvoices } } });
  onTestFinished(api.stop);
  const post = async (limit: unknown) =>
    (await api.fetch('/invoices', { json: { orgId: 'a', limit } })).status;
  expect(await post(2)).toBe(200);
  for (const limit of [true, '5', [3], null])
    expect([limit, await post(limit)]).toEqual([limit, 400]);
  const get = async (limit: string) => (await api.fetch(`/invoices?orgId=a&limit=${limit}`)).status;
  expect(await get('2')).toBe(200);
  for (const limit of ['0x10', 'true', '', '2.5'])
    expect([limit, await get(limit)]).toEqual([limit, 400]);
});

it('is a page, whose cursor and limit the input has, and both clients read page after page', async () => {
  const api = await testServer({ capabilities, rest: { calls: true } });
  onTestFinished(api.stop);
  const first = await api.fetch('/invoices?orgId=a&limit=1&cursor=3');
  expect(await first.json()).toEqual({
    data: { items: [{ id: 'a3', at: '1970-01-01T00:00:00.003Z' }], nextCursor: null },
  });
  for (const limit of [0, 1001])
    expect((await api.fetch(`/invoices?orgId=a&limit=${limit}`)).status).toBe(400);
  const { paths } = generateOpenAPI(capabilities);
  expect(
    paths['/invoices']?.['get']?.parameters?.map((each) => 'name' in each && each.name),
  ).toEqual(['orgId', 'cursor', 'limit']);

  const client = createClient<typeof capabilities>({ baseUrl: api.url });
  const ids: string[] = [];
  for await (const invoice of pages(client.invoices.listInvoices, { orgId: 'b' })) {
    expectTypeOf(invoice).toEqualTypeOf<{ id: string; at: Date }>();
    ids.push(invoice.id);
  }
  expect(ids).toEqual(['b0', 'b1', 'b2', 'b3']);

  interface Generated {
    readonly list: Call<
      { orgId: string; cursor?: string },
      { 200: { items: { id: string }[]; nextCursor?: string | null } }
    >;
  }
  const generated = createClientOf<Generated>(
    { list: ['GET', '/invoices'] },
    {},
  )({
    baseUrl: api.url,
  });
  const more: string[] = [];
  for await (const { id } of pages(generated.list, { orgId: 'c' })) more.push(id);
  expect(more).toEqual(['c0', 'c1', 'c2', 'c3']);
  expect(createServer({ capabilities }).registry.operations[0]?.fields).toEqual(
    new Set(['orgId', 'cursor', 'limit']),
  );
});
