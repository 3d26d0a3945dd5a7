import { expect, it } from 'vitest';
import {
  currentEntry,
  type Location,
  moveInHistory,
  toHistory,
} from '../../../source/screens/location.ts';

const list: Location = { screen: 'list' };
const show: Location = { screen: 'show', key: 'a.b' };

it('goes on and back, to the same entry with what it has kept', () => {
  const start = toHistory(list);
  currentEntry(start).memory.set('filter', 'x');
  const there = moveInHistory(start, { kind: 'go', route: show });
  expect(currentEntry(there)).toMatchObject({ route: show });
  expect(currentEntry(there).memory.size).toBe(0);
  const again = moveInHistory(there, { kind: 'back' });
  expect(currentEntry(again).memory.get('filter')).toBe('x');
});

it('stays where it is on the way to there, and on the way back from the first screen', () => {
  const start = toHistory(show);
  expect(moveInHistory(start, { kind: 'go', route: { screen: 'show', key: 'a.b' } })).toBe(start);
  expect(moveInHistory(start, { kind: 'back' })).toBe(start);
});

it('replaces a screen without leaving a way back to it', () => {
  const there = moveInHistory(moveInHistory(toHistory(list), { kind: 'go', route: show }), {
    kind: 'replace',
    route: { screen: 'show', key: 'c.d' },
  });
  expect(there.map(({ route }) => route)).toEqual([list, { screen: 'show', key: 'c.d' }]);
});
