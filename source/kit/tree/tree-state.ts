import { toBindings } from '../keys/actions.ts';
import type { Line } from '../line/line.ts';
import { emptyList, type ListState } from '../list/list-state.ts';

export interface TreeNode {
  /** Unique in the tree; the same node after a reload has the same one. */
  readonly id: string;
  readonly line: Line;
  readonly children?: readonly TreeNode[];
  /** Spares asking for the children of a closed node, where making them takes time. @default whether there are children */
  readonly hasChildren?: boolean;
  /** Whether its children are shown until the user says otherwise. @default true */
  readonly isOpen?: boolean;
  /** The text that is copied: `undefined` where nothing is. */
  readonly copied?: string | undefined;
}

export interface TreeState {
  readonly list: ListState;
  /** Ids of the nodes that are not as they were made: closed where open, open where closed. */
  readonly toggled: ReadonlySet<string>;
}

export const newTree: TreeState = { list: emptyList, toggled: new Set() };

export interface TreeRow {
  readonly node: TreeNode;
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  readonly parentId: string | undefined;
}

export type TreeAction = 'open' | 'close' | 'toggle' | 'more' | 'less';

export const treeBindings = toBindings(['toggle', 'open', 'close', 'more', 'less']);

/** The rows that are seen, in order: the same array for the same nodes until something is opened or closed, so that a key walks no large tree. */
export function toTreeRows(nodes: readonly TreeNode[], toggled: ReadonlySet<string>): readonly TreeRow[] {
  const known = seen.get(nodes);
  if (known?.toggled === toggled) return known.rows;
  const rows = toSeenRows(nodes, toggled);
  seen.set(nodes, { toggled, rows });
  return rows;
}

/** The rows of a tree as it was last asked for. */
const seen = new WeakMap<
  readonly TreeNode[],
  { readonly toggled: ReadonlySet<string>; readonly rows: readonly TreeRow[] }
>();

function toSeenRows(nodes: readonly TreeNode[], toggled: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (siblings: readonly TreeNode[], depth: number, parentId: string | undefined): void => {
    for (const node of siblings) {
      const isOpen = (node.isOpen ?? true) !== toggled.has(node.id);
      const hasChildren = node.hasChildren ?? (node.children !== undefined && node.children.length > 0);
      rows.push({ node, depth, hasChildren, isOpen, parentId });
      if (isOpen) add(node.children ?? [], depth + 1, node.id);
    }
  };
  add(nodes, 0, undefined);
  return rows;
}

export interface VisibleTree {
  readonly nodes: readonly TreeNode[];
  readonly rows: readonly TreeRow[];
  readonly selected: TreeRow | undefined;
}

export function moveInTree(state: TreeState, action: TreeAction, { nodes, rows, selected }: VisibleTree): TreeState {
  switch (action) {
    case 'more': {
      const all = openWhole(nodes, state.toggled);
      const { toggled } = all.isWhole || !selected?.hasChildren ? all : openWhole([selected.node], state.toggled);
      return { ...state, toggled };
    }
    case 'less':
      return { ...state, toggled: closeSeen(nodes, state.toggled) };
    case 'toggle':
      return selected?.hasChildren ? toggle(state, selected.node.id) : state;
    case 'open':
      return selected?.hasChildren && !selected.isOpen ? toggle(state, selected.node.id) : state;
    case 'close': {
      if (selected === undefined) return state;
      if (selected.hasChildren && selected.isOpen) return toggle(state, selected.node.id);
      const parent = rows.findIndex(({ node }) => node.id === selected.parentId);
      if (parent === -1) return state;
      return { ...state, list: { ...state.list, selectedKey: selected.parentId, index: parent } };
    }
  }
}

function toggle(state: TreeState, id: string): TreeState {
  const toggled = new Set(state.toggled);
  if (!toggled.delete(id)) toggled.add(id);
  return { ...state, toggled };
}

/** The most rows that are opened at once: each costs a little with every key. */
const MAX_OPENED = 3000;

function openWhole(
  nodes: readonly TreeNode[],
  toggled: ReadonlySet<string>,
): { readonly toggled: ReadonlySet<string>; readonly isWhole: boolean } {
  const next = new Set(toggled);
  let count = 0;
  const visit = (node: TreeNode): void => {
    if (++count > MAX_OPENED) return;
    if (node.isOpen ?? true) next.delete(node.id);
    else next.add(node.id);
    node.children?.forEach(visit);
  };
  nodes.forEach(visit);
  return { toggled: next, isWhole: count <= MAX_OPENED };
}

/** The children of a closed node stay as they were made, or are not made at all. */
function closeSeen(nodes: readonly TreeNode[], toggled: ReadonlySet<string>): ReadonlySet<string> {
  const open = toTreeRows(nodes, toggled).filter(({ node, hasChildren }) => hasChildren && (node.isOpen ?? true));
  return new Set(open.map(({ node }) => node.id));
}
