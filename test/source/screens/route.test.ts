import { expect, it } from 'vitest';
import { currentEntry, moveInHistory, type Route, startHistory } from '../../../source/screens/route.ts';

const list: Route = { screen: 'list' };
const show: Route = { screen: 'show', key: 'a.b' };

it('goes on and back, to the same entry with what it has kept', () => {
  const start = startHistory(list);
  currentEntry(start).kept.set('filter', 'x');
  const there = moveInHistory(start, { kind: 'go', route: show });
  expect(currentEntry(there)).toMatchObject({ route: show });
  expect(currentEntry(there).kept.size).toBe(0);
  const again = moveInHistory(there, { kind: 'back' });
  expect(currentEntry(again).kept.get('filter')).toBe('x');
});

it('stays where it is on the way to there, and on the way back from the first screen', () => {
  const start = startHistory(show);
  expect(moveInHistory(start, { kind: 'go', route: { screen: 'show', key: 'a.b' } })).toBe(start);
  expect(moveInHistory(start, { kind: 'back' })).toBe(start);
});

it('replaces a screen without leaving a way back to it', () => {
  const there = moveInHistory(moveInHistory(startHistory(list), { kind: 'go', route: show }), {
    kind: 'replace',
    route: { screen: 'show', key: 'c.d' },
  });
  expect(there.entries.map(({ route }) => route)).toEqual([list, { screen: 'show', key: 'c.d' }]);
});
