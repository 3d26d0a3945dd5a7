import { Box } from 'ink';
import { FilterLine } from '../list/filter-line.tsx';
import { isFilterShown } from '../list/filter-state.ts';
import { TreeView, type TreeViewProps } from './tree-view.tsx';
import type { FilteredTree } from './use-filtered-tree.ts';

export interface FilteredTreeViewProps extends Omit<TreeViewProps, 'nodes' | 'state' | 'onState' | 'query'> {
  readonly tree: FilteredTree;
  readonly placeholder?: string;
  /** Whether the letters that the filter finds are marked here. @default true, else the lines are marked already */
  readonly marksFound?: boolean;
  /** Whether something is hidden, so that an empty tree means that nothing matches. @default where something is typed */
  readonly isNarrowed?: boolean;
  /** Shown where the filter finds nothing. @default 'Nothing matches.' */
  readonly noMatch?: string;
  /** Gives it the keys, when its filter is asked for while another pane has them. */
  readonly onFocus?: (() => void) | undefined;
}

/** A tree, and under it the line that narrows it. */
export function FilteredTreeView({
  tree,
  placeholder,
  onFocus,
  rows,
  isFocused = true,
  empty,
  marksFound = true,
  isNarrowed = tree.filter.field.text !== '',
  noMatch = 'Nothing matches.',
  ...props
}: FilteredTreeViewProps) {
  const { nodes, state, onState, filter, onFilter, count } = tree;
  const height = rows - (isFilterShown(filter) ? 1 : 0);
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
          query={marksFound ? filter.field.text : ''}
          empty={isNarrowed ? noMatch : (empty ?? '')}
        />
      </Box>
      <FilterLine
        state={filter}
        onState={onFilter}
        columns={props.columns}
        count={count}
        placeholder={placeholder ?? 'a few letters'}
        isActive={isFocused}
        onFocus={onFocus}
      />
    </Box>
  );
}
