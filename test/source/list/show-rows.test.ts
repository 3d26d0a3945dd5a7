import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import type { GroupTree } from '../../../server-runtime/capability/group-tree.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { withCache } from '../../../server-runtime/enhancers/with-cache.ts';
import { withIdempotency } from '../../../server-runtime/enhancers/with-idempotency.ts';
import { defaultErrors } from '../../../server-runtime/errors/define-error.ts';
import type { SharedRestOptions } from '../../../source/document/parse-rest-options.ts';
import { type SeenRow, toRowLine, toSeenRows } from '../../../source/kit/row.ts';
import { textWidth } from '../../../source/kit/text.ts';
import { toFacts } from '../../../source/list/capability-facts.ts';
import { toShowRows, toShowText } from '../../../source/list/show-rows.ts';
import { toAddressFacts } from '../../../source/list/show-screen.tsx';
import { expectCapability } from '../../../source/manifest/expect-capability.ts';
import { type Manifest, toCapabilities } from '../../../source/manifest/manifest.ts';
import type { ActionRow } from '../../../source/screens/use-row-actions.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';

const mustBeUser = defineGuard(() => {}, {
  name: 'mustBeUser',
  errors: [defaultErrors.Unauthorized, defaultErrors.Forbidden],
  security: { type: 'http', scheme: 'bearer' },
});
const item = z.object({ id: z.string(), name: z.string() });
const tree = {
  items: {
    createItem: capability(
      z.object({
        name: z.string().min(1).max(80).describe('What it is called in the shop, in one language'),
        paidBy: z.discriminatedUnion('by', [
          z.object({ by: z.literal('card'), number: z.string() }),
          z.object({ by: z.literal('invoice'), address: z.string().optional() }),
        ]),
        size: z.object({ width: z.number().default(10), 高さ: z.number().optional() }).optional(),
      }),
      () => ({ id: '1', name: 'Lamp' }),
    )
      .guard(mustBeUser)
      .output(item)
      .deprecated({ since: '2026-01-01', use: 'items.copyItem' })
      .describe('Puts an item into the shop, which everybody can see from then on.'),
    copyItem: capability(() => ({ id: '1', name: 'Lamp' })).output(item),
  },
  somewhereElse: {
    altogether: { exportEverything: capability(z.object({ 高さ: z.number() }), () => 1) },
  },
};

async function rowsIn(
  width: number,
  key = 'items.createItem',
): Promise<readonly SeenRow<ActionRow>[]> {
  const manifest: Manifest = await toTestManifest(tree);
  const capability = expectCapability(key, toCapabilities(manifest));
  return toSeenRows(
    toShowRows(capability, {
      manifest,
      width: width - 6,
      server: toAddressFacts(capability, { url: 'http://localhost:34666', isRunning: true }),
    }),
    new Set(),
  );
}

function textOf({ row }: SeenRow<ActionRow>): string {
  return toRowLine(row, 0)
    .map(({ text }) => text)
    .join('');
}

describe.each([40, 60, 80, 120])('in %i columns', (width) => {
  it('no line is wider than the tree', async () => {
    const marginAndScrollbar = 5;
    for (const row of await rowsIn(width))
      expect(
        textWidth(textOf(row).trimEnd()) + row.depth * 2 + marginAndScrollbar,
      ).toBeLessThanOrEqual(width);
  });

  it('a long route is there, and why', async () => {
    const rows = await rowsIn(width, 'somewhereElse.altogether.exportEverything');
    const words = rows.map((row) => textOf(row).trim()).join('');
    expect(words.replace(/\s+/g, '')).toMatch(/Route.*\/altogether\/export-everything.*Because/);
  });

  it('no fact is lost', async () => {
    const shown = (await rowsIn(width)).map((row) => textOf(row).trim()).join(' ');
    const words = shown.replace(/\s+/g, '');
    for (const fact of [
      'Puts an item into the shop, which everybody can see from then on.',
      'since 2026-01-01, use items.copyItem',
      'mustBeUser (401 Unauthorized, 403 Forbidden; http bearer)',
      "{ by: 'card', number } | { by: 'invoice', address? }",
      'required, 1 to 80 characters  What it is called in the shop, in one language',
      'default 10',
      "-H 'content-type: application/json'",
    ])
      expect(words).toContain(fact.replace(/\s+/g, ''));
  });
});

test('a union shows each value that it may be, with its fields, wherever it stands', async () => {
  const payment = z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('card'), number: z.string() }).describe('By card'),
      z.object({
        kind: z.literal('sepa'),
        iban: z.string().min(15),
        holder: z.string().optional(),
      }),
    ])
    .meta({ id: 'Payment' });
  const tree = z.union([
    z.string(),
    z.object({
      get below() {
        return z.array(tree);
      },
    }),
  ]);
  const input = z.object({
    payment,
    period: z.union([z.enum(['day', 'week']), z.object({ from: z.iso.date() })]).optional(),
    plain: z.union([z.string(), z.number()]),
    tree,
  });
  const orders = { createOrder: capability(input, () => []).output(z.array(payment)) };
  const manifest = await toTestManifest({ orders });
  const text = toShowText(
    expectCapability('orders.createOrder', toCapabilities(manifest)),
    manifest,
  );
  expect(text.slice(text.indexOf('Input'))).toBe(
    [
      'Input',
      '  payment  Payment                  required',
      '    card  By card',
      "      kind    'card'  required",
      '      number  string  required',
      '    sepa',
      "      kind    'sepa'  required",
      '      iban    string  required, at least 15 characters',
      '      holder  string  optional',
      "  period   'day' | 'week' | object  optional",
      "    'day' | 'week'",
      '    object',
      '      from  string (date)  required',
      '  plain    string | number          required',
      '  tree     Tree                     required',
      '    string',
      '    object with below',
      '      below  Tree[]  required',
      '',
      'Output',
      '  card  By card',
      "    kind    'card'  required",
      '    number  string  required',
      '  sepa',
      "    kind    'sepa'  required",
      '    iban    string  required, at least 15 characters',
      '    holder  string  optional',
      '',
    ].join('\n'),
  );
});

async function toldOf(
  label: string,
  key: string,
  tree: GroupTree,
  restOptions: SharedRestOptions = {},
) {
  const manifest = await toTestManifest(tree, restOptions);
  const facts = toFacts(expectCapability(key, toCapabilities(manifest)), manifest);
  return facts.find((fact) => fact.label === label)?.values ?? [];
}

test('the header for keys of calls is told, and whether it must be there', async () => {
  const pay = capability(() => 1);
  const payments = {
    createOne: pay.enhance(withIdempotency({ required: true })),
    changeOne: pay.enhance(withIdempotency()),
    findOne: pay.enhance(withIdempotency()),
  };
  expect(await toldOf('Takes', 'payments.createOne', { payments })).toEqual([
    'the header Idempotency-Key, required',
  ]);
  expect(await toldOf('Takes', 'payments.changeOne', { payments })).toEqual([
    'the header Idempotency-Key, optional',
  ]);
  expect(await toldOf('Takes', 'payments.findOne', { payments })).toEqual([]);
});

test('callers are told how long they may keep an answer', async () => {
  const texts = {
    getA: capability(() => 1).cacheControl('no-store'),
    getB: capability(() => 1),
    createC: capability(() => 1),
    findD: capability(() => 1, 'query').enhance(withCache({ ttlMs: 60_000 })),
  };
  const cachingOf = (name: string, restOptions: SharedRestOptions = { etag: true }) =>
    toldOf('Caching', `texts.${name}`, { texts }, restOptions);
  const tag = 'ETag, and 304 for callers that have it';
  expect(await cachingOf('getA')).toEqual(['Cache-Control: no-store', tag]);
  expect(await cachingOf('getB')).toEqual([tag]);
  expect(await cachingOf('createC')).toEqual([]);
  expect(await cachingOf('findD')).toEqual([tag]);
  expect(await cachingOf('findD', {})).toEqual([]);
});

test('all credentials of which a guard takes one are there, with their scopes', async () => {
  const flows = { clientCredentials: { tokenUrl: '/token', scopes: { read: '', write: '' } } };
  const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const;
  const bearer = { type: 'http', scheme: 'bearer' } as const;
  const guard = (name: string, options: object) => defineGuard(() => {}, { name, ...options });
  const query = capability(() => 1);
  const one = query
    .guard(guard('mustBeCaller', { security: [bearer, key] }))
    .guard(guard('mustRead', { security: { type: 'oauth2', flows }, scopes: ['read', 'write'] }))
    .guard(guard('mayBeUser', { security: bearer, isOptional: true }));
  expect(await toldOf('Guards', 'items.one', { items: { one } })).toEqual([
    'mustBeCaller (http bearer or header x-key)',
    'mustRead (oauth2 with read, write)',
    'mayBeUser (http bearer or none)',
  ]);
});
