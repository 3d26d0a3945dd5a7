import { expect, it } from 'vitest';
import type { CapabilityChange, ContractChange } from '../../../source/contract/contract-change.ts';
import { toDiffDetails } from '../../../source/diff/diff-details.ts';
import { toDiffRows } from '../../../source/diff/diff-rows.ts';
import { toSidesLine } from '../../../source/diff/sides-line.ts';
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
  expect(toTexts({ capability, change }, 76, { before: nowhere, after: nowhere })).toContain(
    'src/capabilities/books/search-books.ts:11',
  );
  const moved = toTexts({ capability, change }, 76, { before: nowhere, after: { ...nowhere, line: 12 } });
  expect(moved).toContain('- src/capabilities/books/search-books.ts:11');
  expect(moved).toContain('+ src/capabilities/books/search-books.ts:12');
  expect(moved[0]).toBe('limit has the maximum 50, it was 100');
  expect(moved).toEqual(expect.arrayContaining(['- 100', '+ 50']));
});

it('counts the changes of a group, and says who notices them', () => {
  const diff = { server: [], added: [], removed: [], changed: [capability] };
  const [group] = toDiffRows({ diff, ignored: [] } as never, { marks: new Set() });
  expect(toTexts(group ?? {}, 50)).toEqual(['Changed (1)', '1 breaking  ', 'For: HTTP callers, agents']);
});

it.each([
  [false, 'breaking  input   limit has the maximum 50, it was 100'],
  [true, '✗ limit has the maximum 50, it was 100'],
])('says what changed once, in a narrow window behind a sign: %s', (isBrief, text) => {
  const diff = { server: [], added: [], removed: [], changed: [capability] };
  const [group] = toDiffRows({ diff, ignored: [] } as never, { marks: new Set(), isBrief });
  expect(toLineText(group?.children?.[0]?.children?.[0]?.line ?? [])).toBe(text);
});

it('gives a side the columns that the other one does not need', () => {
  const toSide = (name: string) => ({ name, note: 'loading', kind: 'loading' }) as const;
  const toText = (columns: number) =>
    toLineText(toSidesLine(toSide('HEAD'), toSide('src/capabilities.ts'), { columns }));
  expect(toText(60)).toBe(' · HEAD loading → · src/capabilities.ts loading');
  expect(toText(47)).toBe(' · HEAD loading → · src/capabilities.ts loading');
  expect(toText(40)).toBe(' · HEAD loading → · …bilities.ts loading');
});
