import { expect, it } from 'vitest';
import type {
  CapabilityChange,
  ContractChange,
} from '../../../source/contract/changes/contract-change.ts';
import { toDiffRows } from '../../../source/diff/diff-rows.ts';
import { toLineText } from '../../../source/kit/line.ts';

const change: ContractChange = {
  class: 'breaking',
  at: 'input.limit',
  message: '`limit` has the maximum 50, it was 100',
  before: '100',
  after: '50',
  reason: 'callers that send more are refused',
  audience: ['http', 'agents'],
  rule: 'input-limit-narrower',
};
const changed = (route: string): CapabilityChange => ({
  key: 'books.searchBooks',
  route,
  kind: 'changed',
  class: 'breaking',
  changes: [change],
});

it('says what changed once, behind a sign, and all about it in its details', () => {
  const diff = {
    server: [],
    added: [],
    removed: [],
    changed: [changed('GET /books')],
    class: 'breaking',
  } as const;
  const [group] = toDiffRows({ diff, ignored: [] }, new Map());
  expect(group?.details).toEqual([['Changed (1)']]);
  const row = group?.children?.[0]?.children?.[0];
  expect(toLineText(row?.line ?? [])).toBe('✗ limit has the maximum 50, it was 100  input');
  expect(row?.details.map(([text]) => text)).toEqual([
    'limit has the maximum 50, it was 100',
    'breaking  input.limit',
    '- 100',
    '+ 50',
    'Why: callers that send more are refused',
    'For: HTTP callers, agents',
    'Rule: input-limit-narrower',
  ]);
});

it('has rows of their own for a route and for the job of one key', () => {
  const both = [changed('GET /books'), changed('JOB books.searchBooks')];
  const diff = { server: [], added: [], removed: [], changed: both, class: 'breaking' } as const;
  const [group] = toDiffRows({ diff, ignored: [] }, new Map());
  expect(new Set(group?.children?.map(({ id }) => id)).size).toBe(2);
});
