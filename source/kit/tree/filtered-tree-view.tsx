import { Box } from 'ink';
import { FilterLine } from '../list/filter-line.tsx';
import { isFilterShown } from '../list/filter-state.ts';
import { TreeView, type TreeViewProps } from './tree-view.tsx';
import type { FilteredTree } from './use-filtered-tree.ts';

export interface FilteredTreeViewProps extends Omit<TreeViewProps, 'nodes' | 'state' | 'onState' | 'query'> {
  readonly tree: FilteredTree;
  readonly placeholder?: string;
}

/** A tree, and under it the line that narrows it. */
export function FilteredTreeView({
  tree,
  placeholder,
  rows,
  isFocused = true,
  empty,
  ...props
}: FilteredTreeViewProps) {
  const { nodes, state, onState, filter, onFilter, count } = tree;
  const height = rows - (isFilterShown(filter) ? 1 : 0);
  const query = filter.field.text;
  return (
    <Box flexDirection="column" width={props.columns} height={rows}>
      <Box height={height}>
        <TreeView
          {...props}
          nodes={nodes}
          state={state}
          onState={onState}
          rows={height}
          isFocused={isFocused}
          query={query}
          empty={query === '' ? (empty ?? '') : 'Nothing matches.'}
        />
      </Box>
      <FilterLine
        state={filter}
        onState={onFilter}
        columns={props.columns}
        count={count}
        placeholder={placeholder ?? 'a few letters'}
        isActive={isFocused}
      />
    </Box>
  );
}
