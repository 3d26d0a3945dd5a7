import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, compileRegistry, noContent, stream } from '../../../server-runtime/index.ts';
import type { LoadedRegistry } from '../../../source/manifest/loaded-registry.ts';
import { loadAiContextText } from '../../../source/written/load-ai-context-text.ts';

const Address = z.object({
  street: z.string().min(1).max(100),
  city: z.string(),
  country: z.enum(['ch', 'de', 'fr']),
});
const Line = z.object({
  sku: z.string(),
  quantity: z.int().positive(),
  note: z.string().optional(),
});
const Order = z
  .object({
    id: z.uuid(),
    lines: z.array(Line),
    billing: Address.describe('Where the bill goes'),
    shipping: Address.optional(),
    history: z.array(
      z.object({ at: z.iso.datetime(), state: z.enum(['open', 'paid', 'sent']), by: z.email() }),
    ),
  })
  .meta({ id: 'Order' });

function loadedOf(capabilities: Parameters<typeof compileRegistry>[0]): LoadedRegistry {
  const project = { name: 'shop', root: '/nowhere', entryFile: '/nowhere/src/capabilities.ts' };
  return {
    kind: 'loaded',
    project,
    registry: compileRegistry(capabilities),
    restOptions: {},
    files: [],
  };
}

type Context = {
  readonly capabilities: readonly Record<string, unknown>[];
  readonly schemas: Record<string, object>;
};

it('says each schema that has a name once, in less than a quarter of the room that all of them would take', async () => {
  const group = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `saveOrder${index}`,
      capability(z.object({ order: Order, why: z.string() }), ({ order }) => order).output(Order),
    ]),
  );
  const text = await loadAiContextText(loadedOf({ orders: group }));
  const { capabilities, schemas } = JSON.parse(text) as Context;
  const { id: _id, ...order } = z.toJSONSchema(Order) as { readonly id?: string };
  const inlined = capabilities.map((each) => ({
    ...each,
    output: order,
    input: { type: 'object', properties: { order, why: {} } },
  }));
  expect(text.length).toBeLessThan(
    JSON.stringify({ capabilities: inlined }, undefined, 2).length / 4,
  );
  expect(capabilities[7]).toMatchObject({
    output: { $ref: '#/schemas/Order' },
    input: { properties: { order: { $ref: '#/schemas/Order' } } },
  });
  expect(Object.keys(schemas)).toEqual(['Order']);
  expect(text).not.toMatch(/components|x-capix/);
});

it('tells what is declared to be answered', async () => {
  const text = await loadAiContextText(
    loadedOf({
      deleteIt: capability(z.object({ id: z.string() }), () => {}).output(noContent),
      watchThem: capability(async function* () {}, 'query').output(stream(z.string())),
      startIt: capability(() => ({ done: true }))
        .output(z.object({ done: z.boolean() }))
        .output(z.object({ job: z.string() }), { status: 202 }),
    }),
  );
  const [deleteIt, watchThem, startIt] = (JSON.parse(text) as Context).capabilities;
  expect(deleteIt).toMatchObject({ answers: [{ status: 204, kind: 'none' }] });
  expect(watchThem).toMatchObject({
    answers: [{ status: 200, kind: 'stream', schema: { type: 'string' } }],
  });
  expect(startIt).toMatchObject({
    answers: [
      { status: 200, schema: { required: ['done'] } },
      { status: 202, schema: { required: ['job'] } },
    ],
  });
});
