import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../../server-runtime/capability/capability.ts';
import { findBreaks, toAlarmLines } from '../../../../source/dev/screen/use-contract-alarm.ts';
import { toLineText } from '../../../../source/kit/line.ts';
import { toTestManifest } from '../../../helpers/render-screen.tsx';

it('tells what an edit breaks, but for what the project accepts', async () => {
  const getItem = capability(z.object({ id: z.string() }), () => null);
  const before = await toTestManifest({ items: { getItem, listItems: capability(() => []) } });
  const now = await toTestManifest({
    items: { getItem: capability(z.object({ id: z.string(), unit: z.string() }), () => null) },
  });
  expect(findBreaks(before, now, {})).toEqual([
    'This edit breaks `items.listItems` for HTTP callers, the typed client, agents: was removed',
    'This edit breaks `items.getItem` for HTTP callers, the typed client, agents: `unit` was added, required',
  ]);
  const settings = {
    rules: { 'input-field-required': { severity: 'risky', reason: 'nobody calls it yet' } },
    ignore: [{ rule: 'capability-removed', capability: 'items.*', reason: 'announced' }],
  };
  expect(findBreaks(before, now, settings)).toEqual([]);
});

it('has a line or more for each sentence, and says how many there are where not all have room', () => {
  const toTexts = (sentences: readonly string[], columns: number, rows: number) =>
    toAlarmLines(sentences, { columns, rows }).map(toLineText);
  expect(toTexts(['a breaks', 'b breaks'], 40, 4)).toEqual([' ▲ a breaks', ' ▲ b breaks']);
  expect(toTexts(['This edit breaks `a.b` for agents'], 20, 4)).toEqual([
    ' ▲ This edit breaks',
    '   `a.b` for agents',
  ]);
  expect(toTexts(['a', 'b', 'c', 'd'], 40, 3)).toEqual([
    ' ▲ a',
    ' ▲ b',
    '   … of 4 in all, d opens the diff',
  ]);
});
