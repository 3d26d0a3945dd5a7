import { useState } from 'react';
import { expect, test } from 'vitest';
import type { TreeNode } from '../../../../source/kit/tree/tree-state.ts';
import { newTree, toTreeRows } from '../../../../source/kit/tree/tree-state.ts';
import { TreeView } from '../../../../source/kit/tree/tree-view.tsx';
import { renderScreen } from '../../../helpers/render-screen.tsx';

const ROWS = 20;

test('a key that moves the selection makes the lines of two rows, and walks no tree', async () => {
  let made = 0;
  let walked = 0;
  const inside = Array.from({ length: 100 }, (_, index) => ({
    id: `${index}`,
    get line() {
      made += 1;
      return [{ text: `line ${index}` }];
    },
  }));
  const nodes: readonly TreeNode[] = [
    {
      id: 'all',
      line: [{ text: 'all of them' }],
      hasChildren: true,
      get children() {
        walked += 1;
        return inside;
      },
    },
  ];
  function Screen() {
    const [state, onState] = useState(newTree);
    return <TreeView nodes={nodes} state={state} onState={onState} columns={40} rows={ROWS} />;
  }
  const screen = renderScreen(Screen, { route: { screen: 'home' } });
  await screen.waitFor('❯ ▾ all of them');
  expect([made, walked]).toEqual([ROWS - 1, 1]);
  screen.press('j');
  await screen.waitFor('❯     line 0');
  screen.press('j');
  await screen.waitFor('❯     line 1');
  // The node above is no line of them.
  expect([made - (ROWS - 1), walked]).toEqual([3, 1]);
  screen.unmount();
});

test('the rows of a tree are others once something is closed, and the same until then', () => {
  const nodes: readonly TreeNode[] = [{ id: 'a', line: [], children: [{ id: 'b', line: [] }] }];
  const open = toTreeRows(nodes, newTree.toggled);
  expect(toTreeRows(nodes, newTree.toggled)).toBe(open);
  expect(toTreeRows(nodes, new Set(['a'])).map(({ node }) => node.id)).toEqual(['a']);
  expect(toTreeRows(nodes, newTree.toggled)).toEqual(open);
});
