import { expect, it, onTestFinished } from 'vitest';
import { fitLine } from '../../../source/kit/line.ts';
import { toRowLine, toSeenRows } from '../../../source/kit/row.ts';
import type { Mark, Marks } from '../../../source/record/call-marks.ts';
import { TimeView } from '../../../source/screens/time-view.tsx';
import { toWaterfall } from '../../../source/screens/waterfall.ts';
import { renderScreen } from '../../helpers/render-screen.tsx';

const list: readonly Mark[] = [
  { kind: 'handler', name: 'orders.listOrders', atMs: 0, tookMs: 200 },
  ...Array.from({ length: 199 }, (_, at): Mark => {
    return { kind: 'db', name: `select ${at}`, atMs: at, tookMs: 1, inside: 0 };
  }),
];
const marks: Marks = { list, counts: { handler: 1, db: 199 }, repeated: [] };

it('shows the rows of 200 that fit, and the others as the selection comes to them', async () => {
  const View = () => (
    <TimeView
      id="one"
      title={[{ text: 'GET /orders' }]}
      marks={marks}
      durationMs={200}
      root="/"
      isFocused
      onBack={() => {}}
      columns={120}
      rows={36}
    />
  );
  const screen = renderScreen(View, { route: { screen: 'list' }, columns: 120, rows: 40 });
  onTestFinished(screen.unmount);
  const first = await screen.waitFor(/❯ ▾ handler[^]*db select 0 /);
  expect(first.match(/db select \d+ /g)?.length).toBeLessThan(36);
  screen.press('G');
  await screen.waitFor(/❯ +db select 198 /);
});

it('makes the rows of 200 marks, and the lines that a window of 40 shows, within 16 ms', () => {
  const draw = (): number => {
    const { user: before } = process.cpuUsage();
    const seen = toSeenRows(toWaterfall(marks, 200).rows, new Set());
    for (const { row } of seen.slice(0, 40)) fitLine(toRowLine(row, 118), 120);
    return (process.cpuUsage().user - before) / 1000;
  };
  const times = Array.from({ length: 11 }, draw).toSorted((one, other) => one - other);
  expect(times[5]).toBeLessThan(16);
});
