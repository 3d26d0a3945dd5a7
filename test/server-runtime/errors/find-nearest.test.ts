import { expect, it } from 'vitest';
import { findNearest, findNearestNames } from '../../../server-runtime/errors/expect-options.ts';

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

const names = [
  'comments_listComments',
  'issues_listIssues',
  'issues.getIssue',
  'boards_getBoard',
  'a_x',
];
it.each([
  ['the nearest one', 'issue_listIssues', ['issues_listIssues']],
  ['those whose last part it is', 'listComments', ['comments_listComments']],
  [
    'those whose last part it nearly is, in whichever group',
    'tickets.getIsue',
    ['issues.getIssue'],
  ],
  ['those that begin so', 'issues_list', ['issues_listIssues']],
  ['nothing for a short one', 'y', []],
  ['nothing for one that is like none', 'deploy', []],
])('finds of names of several parts %s', (_, text, found) => {
  expect(findNearestNames(text, names)).toEqual(found);
});

it('finds at most three of the same last part', () => {
  const all = ['a_list', 'b_list', 'c_list', 'd_list'];
  expect(findNearestNames('everything_list', all)).toEqual(all.slice(0, 3));
});
