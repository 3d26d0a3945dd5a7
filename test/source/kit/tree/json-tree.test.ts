import { expect, test } from 'vitest';
import { toJsonTree } from '../../../../source/kit/tree/json-tree.ts';

test('a part of an answer that was shown before is the tree that it was', () => {
  const body = { data: [{ name: 'x'.repeat(60) }] };
  const whole = toJsonTree(body, { columns: 80 });
  toJsonTree(body.data, { columns: 80 });
  expect(toJsonTree(body, { columns: 80 })).toBe(whole);
  expect(toJsonTree(body, { columns: 30 })).not.toBe(whole);
  expect(toJsonTree(structuredClone(body), { columns: 30 })).not.toBe(toJsonTree(body, { columns: 30 }));
});
