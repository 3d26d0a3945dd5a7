import { expect, test } from 'vitest';
import {
  compareFacts,
  type Fact,
  safeIfMore,
} from '../../../source/contract/changes/contract-change.ts';

const timeout = (value: Fact['value'], label = 'timeout'): Fact => ({
  id: 'timeout',
  rule: 'timeout-changed',
  at: 'timeout',
  label,
  value,
  classes: safeIfMore,
});

function toTexts(older: readonly Fact[], newer: readonly Fact[]): readonly string[] {
  return compareFacts(older, newer).map(({ class: type, message }) => `${type}: ${message}`);
}

test('a fact is found on the other side by its id, whatever its words are there', () => {
  expect(toTexts([timeout(1, 'time for a call')], [timeout(2, 'timeout of GET')])).toEqual([
    'safe: timeout of GET is 2, it was 1',
  ]);
});

test('facts of the same words and other ids are two', () => {
  expect(toTexts([timeout(1)], [{ ...timeout(2), id: 'another' }])).toEqual([]);
});

test.each<readonly [old: Fact['value'], now: Fact['value'], text: string]>([
  [true, false, 'risky: timeout is off, it was on'],
  [false, true, 'safe: timeout is on, it was off'],
  [2, 1, 'risky: timeout is 1, it was 2'],
  [[1, 2], [1, 3], 'safe: timeout is 1,3, it was 1,2'],
  [[1], [1, 2], 'risky: timeout is 1,2, it was 1'],
  [new Set(['a']), new Set(['a', 'b']), 'safe: timeout is a, b, it was a'],
  [new Set(['a', 'b']), new Set(['b']), 'risky: timeout is b, it was a, b'],
  [new Set(['a']), new Set(['*']), 'safe: timeout is *, it was a'],
  ['a', undefined, 'risky: timeout is none, it was a'],
])('from %o to %o says which of the two is more', (old, now, text) => {
  expect(toTexts([timeout(old)], [timeout(now)])).toEqual([text]);
});
