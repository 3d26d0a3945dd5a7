import { expect, it } from 'vitest';
import { toJsonRows } from '../../../../source/kit/rows/json-rows.ts';
import {
  moveInTree,
  newTree,
  type TreeAction,
  type TreeNode,
  type TreeState,
  toTreeRows,
} from '../../../../source/kit/tree/tree-state.ts';

const nodes = toJsonRows({ user: { name: 'Ada', tags: ['a', 'b'] }, count: 2 });
const ids = (state: TreeState): readonly string[] => toTreeRows(nodes, state.toggled).map(({ node }) => node.id);

function act(state: TreeState, action: TreeAction, id: string): TreeState {
  const rows = toTreeRows(nodes, state.toggled);
  return moveInTree(state, action, { nodes, rows, selected: rows.find(({ node }) => node.id === id) });
}

it('shows what is inside what is open', () => {
  expect(ids(newTree)).toEqual([
    '$',
    '$/user',
    '$/user/name',
    '$/user/tags',
    '$/user/tags/0',
    '$/user/tags/1',
    '$/count',
  ]);
  expect(ids(act(newTree, 'close', '$/user'))).toEqual(['$', '$/user', '$/count']);
  expect(ids(act(act(newTree, 'close', '$/user'), 'open', '$/user'))).toEqual(ids(newTree));
});

it('closes and opens everything', () => {
  const closed = act(newTree, 'less', '$');
  expect(ids(closed)).toEqual(['$']);
  expect(ids(act(closed, 'more', '$'))).toEqual(ids(newTree));
});

it('opens of a large tree what is selected, and makes nothing more', () => {
  let made = 0;
  const large: readonly TreeNode[] = Array.from({ length: 5000 }, (_, index) => ({
    id: `${index}`,
    line: [],
    isOpen: false,
    hasChildren: true,
    get children() {
      made++;
      return [{ id: `${index}/a`, line: [] }];
    },
  }));
  const rows = toTreeRows(large, new Set());
  const opened = moveInTree(newTree, 'more', { nodes: large, rows, selected: rows[4321] });
  const seen = toTreeRows(large, opened.toggled);
  expect(seen).toHaveLength(5001);
  expect(seen[4322]?.node.id).toBe('4321/a');
  const closed = moveInTree(opened, 'less', { nodes: large, rows: seen, selected: undefined });
  expect(toTreeRows(large, closed.toggled)).toHaveLength(5000);
  expect(made).toBeLessThan(5000);
});

it('goes from a leaf to what it is in', () => {
  expect(act(newTree, 'close', '$/user/name').list.selectedKey).toBe('$/user');
});

it('keeps what is closed when the value changes', () => {
  const closed = act(newTree, 'toggle', '$/user');
  const next = toJsonRows({ user: { name: 'Bea' }, more: true });
  expect(toTreeRows(next, closed.toggled).map(({ node }) => node.id)).toEqual(['$', '$/user', '$/more']);
});
