import { expect, test } from 'vitest';
import { toJsonRows } from '../../../../source/kit/json-rows.ts';

test('a part of an answer that was shown before is the tree that it was', () => {
  const body = { data: [{ name: 'x'.repeat(60) }] };
  const whole = toJsonRows(body, { columns: 80 });
  toJsonRows(body.data, { columns: 80 });
  expect(toJsonRows(body, { columns: 80 })).toBe(whole);
  expect(toJsonRows(body, { columns: 30 })).not.toBe(whole);
  expect(toJsonRows(structuredClone(body), { columns: 30 })).not.toBe(toJsonRows(body, { columns: 30 }));
});
