import type { FilterState } from '../list/filter-state.ts';
import type { TreeNode, TreeState } from './tree-state.ts';

/** A tree that can be narrowed by typing: what of it is seen, and what the screen keeps. */
export interface FilteredTree<Node extends TreeNode = TreeNode> {
  readonly nodes: readonly Node[];
  readonly state: TreeState;
  readonly onState: (state: TreeState) => void;
  readonly selected: Node | undefined;
  readonly filter: FilterState;
  readonly onFilter: (filter: FilterState) => void;
  /** `'3 of 40'` */
  readonly count: string;
}
