import { useCallback } from 'react';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import type { Line } from '../line/line.ts';
import { findSelected } from '../list/list-state.ts';
import { ListView } from '../list/list-view.tsx';
import { useUi } from '../theme/use-ui.ts';
import { moveInTree, type TreeNode, type TreeRow, type TreeState, toTreeRows, treeBindings } from './tree-state.ts';

export interface TreeViewProps {
  readonly nodes: readonly TreeNode[];
  readonly state: TreeState;
  readonly onState: (state: TreeState) => void;
  readonly columns: number;
  readonly rows: number;
  readonly title?: string;
  /** @default true */
  readonly isFocused?: boolean;
  readonly empty?: string;
  /** The letters whose matches are marked. */
  readonly query?: string;
  /** Whether the last load brought or changed it. @default false */
  readonly isMarked?: (row: TreeRow) => boolean;
}

/** Nodes inside nodes, of which one is selected. Draws no more than the window shows. */
export function TreeView({
  nodes,
  state,
  onState,
  columns,
  rows,
  title = 'Tree',
  isFocused = true,
  empty,
  query,
  isMarked,
}: TreeViewProps) {
  const { symbols } = useUi();
  const seen = toTreeRows(nodes, state.toggled);
  useKeys({
    title,
    bindings: treeBindings,
    priority: keyPriority.pane,
    isActive: isFocused,
    onAction: (action) => {
      const selected = findSelected(seen, state.list, getId);
      onState(moveInTree(state, action, { nodes, rows: seen, selected }));
    },
  });
  const toLine = useCallback(
    ({ node, depth, hasChildren, isOpen }: TreeRow): Line => [
      { text: '  '.repeat(depth) },
      { text: hasChildren ? `${isOpen ? symbols.open : symbols.closed} ` : '  ', token: 'muted' },
      ...node.line,
    ],
    [symbols],
  );
  return (
    <ListView
      items={seen}
      getKey={getId}
      toLine={toLine}
      state={state.list}
      onState={(list) => onState({ ...state, list })}
      columns={columns}
      rows={rows}
      title={title}
      isFocused={isFocused}
      {...(empty === undefined ? {} : { empty })}
      {...(query === undefined ? {} : { query })}
      {...(isMarked === undefined ? {} : { isMarked })}
    />
  );
}

function getId({ node }: TreeRow): string {
  return node.id;
}
