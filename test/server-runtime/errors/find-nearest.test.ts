import { expect, it } from 'vitest';
import { findNearest } from '../../../server-runtime/errors/find-nearest.ts';

it.each([
  ['two letters that changed places', 'staet', ['title', 'state'], 'state'],
  ['the same at the end of a short name', 'setp', ['step', 'sets'], 'step'],
  ['one letter too many', 'statee', ['state'], 'state'],
  ['one letter too few', 'stte', ['state'], 'state'],
  ['other letter case', 'STATE', ['state'], 'state'],
  ['nothing that is further away', 'colour', ['state'], undefined],
  ['nothing for letters that changed places far apart', 'etats', ['state'], undefined],
])('finds %s', (_, text, candidates, nearest) => {
  expect(findNearest(text, candidates)).toBe(nearest);
});
