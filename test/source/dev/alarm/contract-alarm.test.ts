import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../../server-runtime/capability/capability-factory.ts';
import { toContractAlarm } from '../../../../source/dev/screen/contract-alarm.ts';
import { noSettings } from '../../../../source/manifest/rule-settings.ts';
import { toTestManifest } from '../../../helpers/render-screen.tsx';

it('tells what an edit breaks, but for what the project accepts', async () => {
  const getItem = capability(z.object({ id: z.string() }), () => null);
  const start = await toTestManifest({ items: { getItem, listItems: capability(() => []) } });
  const now = await toTestManifest({
    items: { getItem: capability(z.object({ id: z.string(), unit: z.string() }), () => null) },
  });
  const today = '2026-11-22';
  const baselines = { start, head: undefined };
  expect(toContractAlarm(baselines, now, { settings: noSettings, today }).map(({ sentence }) => sentence)).toEqual([
    'This edit breaks `items.listItems` for HTTP callers, the typed client, agents: was removed',
    'This edit breaks `items.getItem` for HTTP callers, the typed client, agents: `unit` was added, required',
  ]);
  const settings = {
    rules: { 'input-field-required': { severity: 'risky', reason: 'nobody calls it yet' } },
    ignore: [{ rule: 'capability-removed', capability: 'items.*', reason: 'announced' }],
  };
  expect(toContractAlarm(baselines, now, { settings, today })).toEqual([]);
});
