import { describe, expect, it } from 'vitest';
import type { RequestEntry } from '../../../../../source/dev/dev-store.ts';
import {
  toRequestColumns,
  toRequestLine,
  toRequestTitle,
} from '../../../../../source/dev/panes/requests/request-columns.ts';

const toEntry = (id: number, method: string, url: string, capability: string): RequestEntry => ({
  id,
  key: `1-${id}`,
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
const toTexts = (columns: number) =>
  requests.map((request) =>
    toRequestLine(request, toRequestColumns(requests, columns))
      .map(({ text }) => text)
      .join(''),
  );

describe('a row of requests', () => {
  it('shows a path of usual length whole, before a part of the capability', () => {
    expect(toTexts(77)[0]).toMatch(/POST +\/bookings\/confirm-booking +1\.0 ms/);
    expect(toTexts(120)[0]).toMatch(/POST +\/bookings\/confirm-booking +bookings\.\S+ +1\.0 ms/);
  });

  it.each([40, 44, 48, 52, 56, 60, 64])('has no part of a title in %i columns before the first request', (columns) => {
    const title = toRequestTitle(toRequestColumns([], columns));
    expect(title.map(({ text }) => text).join('')).not.toContain('…');
  });

  it('names a job once', () => {
    expect(toTexts(77)[1]).toMatch(/JOB +mails\.confirmBooking +1\.0 ms/);
    expect(toTexts(120)[1]).toMatch(/JOB +mails\.confirmBooking +1\.0 ms/);
  });
});
