import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability-factory.ts';
import { type SinceHead, toContractCount, toSinceHeadLine } from '../../../source/home/since-head.ts';
import { toLineText } from '../../../source/kit/line/line.ts';
import { toSymbols } from '../../../source/kit/theme/tokens.ts';
import { noSettings } from '../../../source/manifest/settings/rule-settings.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';

it('counts the capabilities that differ by the worst, and names what breaks', async () => {
  const getItem = capability(z.object({ id: z.string() }), () => null);
  const head = await toTestManifest({ items: { getItem, listItems: capability(() => []) } });
  const now = await toTestManifest({
    items: { getItem: capability(z.object({ id: z.string(), unit: z.string() }), () => null), addItem: getItem },
  });
  expect(toContractCount(head, now, { settings: noSettings, today: '2026-11-22' })).toEqual({
    breaking: 2,
    risky: 0,
    safe: 1,
    breaks: ['items.listItems: was removed', 'items.getItem: `unit` was added, required'],
  });
  expect(toContractCount(head, head, { settings: noSettings, today: '2026-11-22' })).toMatchObject({ breaks: [] });
});

it.each<readonly [SinceHead, string]>([
  [{ kind: 'unknown' }, ''],
  [{ kind: 'none' }, 'no commit to compare with'],
  [{ kind: 'files', count: 0, contract: 'comparing' }, '✓ nothing changed'],
  [{ kind: 'files', count: 1, contract: 'comparing' }, '1 file changed, comparing'],
  [{ kind: 'files', count: 2, contract: 'failed' }, '2 files changed, the commit does not load'],
  [
    { kind: 'files', count: 2, contract: { breaking: 0, risky: 0, safe: 0, breaks: [] } },
    '2 files changed, nothing for callers',
  ],
  [
    { kind: 'files', count: 2, contract: { breaking: 1, risky: 2, safe: 3, breaks: ['a: b'] } },
    '2 files changed, 1 breaking, 2 risky, 3 safe',
  ],
])('says %j as %s', (since, text) => {
  expect(toLineText(toSinceHeadLine(since, toSymbols({})))).toBe(text);
});
