import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The deed of each letter and sign, and the actions that are it on their screens. Keys that move, fold and take text are those of every program. */
const grammar: Readonly<Record<string, { readonly deed: string; readonly actions: readonly string[] }>> = {
  a: { deed: 'do it again', actions: ['job.retry', 'request.again'] },
  A: { deed: 'accept it', actions: ['contract.accept'] },
  b: { deed: 'go back from a reference', actions: ['openapi.return'] },
  c: { deed: 'call the capability', actions: ['capability.call', 'request.call', 'route.call'] },
  d: { deed: 'see what differs', actions: ['answer.compare', 'server.contract'] },
  E: { deed: 'open the text in $EDITOR', actions: ['answer.editor'] },
  f: { deed: 'find, or narrow to it', actions: ['difference.audience', 'log.search', 'request.route'] },
  F: { deed: 'fix it', actions: ['problem.fix'] },
  i: { deed: 'insert a new one', actions: ['capability.generate'] },
  L: { deed: 'choose the level', actions: ['difference.class', 'log.level'] },
  n: { deed: 'go to the next match', actions: ['log.next-match'] },
  N: { deed: 'go to the previous match', actions: ['log.previous-match'] },
  o: { deed: 'open it in another program', actions: ['answer.pager', 'server.browser'] },
  p: { deed: 'pin it', actions: ['capability.pin'] },
  r: { deed: 'start or load it again', actions: ['difference.reload', 'server.restart'] },
  t: { deed: 'choose the time', actions: ['log.since'] },
  u: { deed: 'copy it as curl', actions: ['capability.curl', 'request.curl'] },
  v: {
    deed: 'see the list in another way',
    actions: ['capability.group', 'difference.group', 'problem.group', 'route.group', 'tool.calls'],
  },
  w: { deed: 'write it to a file', actions: ['answer.write', 'log.write', 'openapi.write'] },
  W: { deed: 'wrap, or cut', actions: ['answer.wrap', 'log.wrap'] },
  x: { deed: 'take it away', actions: ['log.clear'] },
  X: { deed: 'bring back what was taken away', actions: ['log.restore'] },
  Y: { deed: 'copy all', actions: ['answer.copy-all', 'openapi.copy-all'] },
  z: { deed: 'zoom', actions: ['server.zoom'] },
  '!': { deed: 'see what is wrong', actions: ['contract.fold', 'openapi.problems'] },
  '>': { deed: 'sort by the next column', actions: ['capability.sort', 'route.sort', 'tool.sort'] },
  '<': { deed: 'reverse the order', actions: ['capability.reverse', 'route.reverse'] },
  ']': { deed: 'go to the next one', actions: ['capability.next'] },
  '[': { deed: 'go to the previous one', actions: ['capability.previous'] },
};

/** Letters whose actions have the name of the deed: `route.show`. */
const named: Readonly<Record<string, string>> = { e: 'edit', s: 'show', y: 'copy' };

/** They move, fold, choose a view, lead out, or lie in a dialog, which has nothing else. */
const common = new Set('hjklgGq?:+-123456');
const dialogs = new Set(['confirm', 'help', 'items', 'window']);

it('gives each letter one deed on all screens, and each deed one letter', () => {
  const found = new Map<string, string[]>();
  const rows = readFileSync('docs/keys.md', 'utf8').matchAll(/^\| `([a-z-]+)\.([a-z-]+)` \| (.*?) \|/gm);
  for (const [, scope = '', action = '', keys = ''] of rows) {
    if (dialogs.has(scope)) continue;
    for (const [, key = ''] of keys.matchAll(/`(\S)`/g)) {
      if (common.has(key)) continue;
      if (key in named) expect(`${key} ${action}`).toBe(`${key} ${named[key]}`);
      else found.set(key, [...(found.get(key) ?? []), `${scope}.${action}`]);
    }
  }
  const expected = Object.entries(grammar).map(([key, { actions }]) => [key, actions] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(new Set(Object.values(grammar).map(({ deed }) => deed)).size).toBe(expected.length);
});
