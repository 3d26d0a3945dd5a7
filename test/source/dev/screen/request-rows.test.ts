import { describe, expect, it } from 'vitest';
import type { RequestEntry } from '../../../../source/dev/screen/dev-store.ts';
import { toRequestTable } from '../../../../source/dev/screen/requests-pane.tsx';
import { toLineText } from '../../../../source/kit/line.ts';
import { toRowLine } from '../../../../source/kit/row.ts';

const toEntry = (id: number, method: string, url: string, capability: string): RequestEntry => ({
  id: String(id),
  key: String(id),
  method,
  url,
  status: 200,
  durationMs: 1,
  at: 0,
  capability,
});

const requests = [
  toEntry(1, 'POST', '/bookings/confirm-booking', 'bookings.confirmBooking'),
  toEntry(2, 'JOB', 'mails.confirmBooking', 'mails.confirmBooking'),
];
/** The rows, the newest first. */
const toTexts = (columns: number) =>
  toRequestTable(requests).rows.map((row) => toLineText(toRowLine(row, columns)));

describe('a row of requests', () => {
  it('shows a path of usual length whole, before a part of the capability', () => {
    expect(toTexts(77)[1]).toMatch(/POST +\/bookings\/confirm-booking +1\.0 ms/);
    expect(toTexts(120)[1]).toMatch(/POST +\/bookings\/confirm-booking +bookings\.\S+ +1\.0 ms/);
  });

  it('names a job once', () => {
    expect(toTexts(77)[0]).toMatch(/JOB +mails\.confirmBooking +1\.0 ms/);
    expect(toTexts(120)[0]).toMatch(/JOB +mails\.confirmBooking +1\.0 ms/);
  });
});
