import { expect, it } from 'vitest';
import type { CapabilityChange, ContractChange } from '../../../source/contract/contract-change.ts';
import { toDiffDetails } from '../../../source/diff/diff-details.ts';
import { toDiffRows } from '../../../source/diff/diff-rows.ts';
import { toLineText } from '../../../source/kit/line.ts';

const change = {
  class: 'breaking',
  at: 'input.limit',
  message: '`limit` has the maximum 50, it was 100',
  before: '100',
  after: '50',
  reason: 'callers that send more are refused',
  audience: ['http', 'agents'],
  rule: 'input-narrowed',
} as unknown as ContractChange;
const capability = {
  key: 'books.searchBooks',
  route: 'GET /books',
  kind: 'changed',
  class: 'breaking',
  changes: [change],
} as unknown as CapabilityChange;
const toTexts = (...args: Parameters<typeof toDiffDetails>) => toDiffDetails(...args).map(toLineText);

const nowhere = { file: 'src/capabilities/books/search-books.ts', line: 11, column: 1 };

it('says a place once that is the same on both sides, and breaks no word of two that differ', () => {
  expect(toTexts({ changed: capability, change }, 76, { before: nowhere, after: nowhere })).toContain(
    'src/capabilities/books/search-books.ts:11',
  );
  const moved = toTexts({ changed: capability, change }, 76, { before: nowhere, after: { ...nowhere, line: 12 } });
  expect(moved).toContain('- src/capabilities/books/search-books.ts:11');
  expect(moved).toContain('+ src/capabilities/books/search-books.ts:12');
  expect(moved[0]).toBe('limit has the maximum 50, it was 100');
  expect(moved).toEqual(expect.arrayContaining(['- 100', '+ 50']));
});

it('says what changed once, behind a sign', () => {
  const diff = { server: [], added: [], removed: [], changed: [capability] };
  const [group] = toDiffRows({ diff, ignored: [] } as never, new Set());
  expect(toTexts(group ?? {}, 50)).toEqual(['Changed (1)']);
  const text = toLineText(group?.children?.[0]?.children?.[0]?.line ?? []);
  expect(text).toBe('✗ limit has the maximum 50, it was 100  input');
});
