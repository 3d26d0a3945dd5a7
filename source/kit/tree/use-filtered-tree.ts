import { useMemo } from 'react';
import { useKept } from '../kept/use-kept.ts';
import { type FilterState, noFilter } from '../list/filter-state.ts';
import { findSelected } from '../list/list-state.ts';
import { filterTree } from './filter-tree.ts';
import { newTree, type TreeNode, type TreeState, toTreeRows } from './tree-state.ts';

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

/** The whole tree keeps what is opened and selected while it is narrowed. `name`: unique on the screen. */
export function useFilteredTree<Node extends TreeNode>(all: readonly Node[], name: string): FilteredTree<Node> {
  const [whole, setWhole] = useKept(name, newTree);
  const [narrowed, setNarrowed] = useKept(`${name} narrowed`, newTree);
  const [filter, setFilter] = useKept(`${name} filter`, noFilter);
  const query = filter.field.text;
  const nodes = useMemo(() => filterTree(all, query), [all, query]);
  const isNarrowed = query.trim() !== '';
  const state = isNarrowed ? narrowed : whole;
  const rows = toTreeRows(nodes, state.toggled);
  return {
    nodes,
    state,
    onState: isNarrowed ? setNarrowed : setWhole,
    selected: findSelected(rows, state.list, ({ node }) => node.id)?.node as Node | undefined,
    filter,
    onFilter: (next) => {
      if (next.field.text !== query) setNarrowed(newTree);
      setFilter(next);
    },
    count: isNarrowed ? `${rows.length === 1 ? '1 line' : `${rows.length} lines`}` : '',
  };
}
