import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../../server-runtime/capability/capability.ts';
import { toAlarmLines } from '../../../../source/dev/screen/alarm-lines.ts';
import { findBreaks } from '../../../../source/dev/screen/use-contract-alarm.ts';
import { toLineText } from '../../../../source/kit/line.ts';
import { toTestManifest } from '../../../helpers/render-screen.tsx';

it('tells what an edit breaks, but for what the project accepts', async () => {
  const getItem = capability(z.object({ id: z.string() }), () => null);
  const before = await toTestManifest({ items: { getItem, listItems: capability(() => []) } });
  const now = await toTestManifest({
    items: { getItem: capability(z.object({ id: z.string(), unit: z.string() }), () => null) },
  });
  expect(findBreaks(before, now, {})).toEqual([
    {
      sentence:
        'This edit breaks `items.listItems` for HTTP callers, the typed client, agents: was removed',
      clause: '`items.listItems`: was removed',
    },
    {
      sentence:
        'This edit breaks `items.getItem` for HTTP callers, the typed client, agents: `unit` was added, required',
      clause: '`items.getItem`: `unit` was added, required',
    },
  ]);
  const settings = {
    rules: { 'input-field-required': { severity: 'risky', reason: 'nobody calls it yet' } },
    ignore: [{ rule: 'capability-removed', capability: 'items.*', reason: 'announced' }],
  };
  expect(findBreaks(before, now, settings)).toEqual([]);
});

it('tells what a shared schema has lost once, however many capabilities have it', async () => {
  const toItems = (fields: z.ZodRawShape) => {
    const Item = z.object(fields).meta({ id: `Item` });
    const getItem = () => capability(z.object({}), () => ({}) as never).output(Item);
    return { getItem: getItem(), importItem: getItem(), takeItem: getItem() };
  };
  const before = await toTestManifest({ items: toItems({ id: z.string(), unit: z.string() }) });
  const now = await toTestManifest({ items: toItems({ id: z.string() }) });
  expect(findBreaks(before, now, {})).toEqual([
    {
      sentence:
        'This edit breaks 3 capabilities for HTTP callers, the typed client, agents: `Item.unit` was removed',
      clause: '`Item.unit` was removed (3)',
    },
  ]);
});

it('has one line for several changes, with those that have room and the number of the others', () => {
  const toTexts = (clauses: readonly string[], columns: number, rows = 4) =>
    toAlarmLines(
      clauses.map((clause) => ({ clause, sentence: `This edit breaks ${clause} for agents` })),
      { columns, rows },
    ).map(toLineText);
  expect(toTexts([], 40)).toEqual([]);
  expect(toTexts(['`a.b`'], 20)).toEqual([' ▲ This edit breaks', '   `a.b` for agents']);
  expect(toTexts(['`a.b`'], 20, 1)).toEqual([' ▲ This edit breaks']);
  expect(toTexts(['a', 'b', 'c'], 40)).toEqual([' ▲ This edit breaks: a · b · c']);
  expect(toTexts(['a', 'b', 'quite a long one', 'another one'], 50)).toEqual([
    ' ▲ This edit breaks: a · b · 2 more, d shows them',
  ]);
  expect(toTexts(['quite a long one', 'b'], 40)).toEqual([
    ' ▲ This edit breaks 2 things, d shows them',
  ]);
});
