import { Box } from 'ink';
import type { Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { FilterLine } from './filter-line.tsx';
import { isFilterShown } from './filter-state.ts';
import { ListView, type ListViewProps } from './list-view.tsx';
import type { FilteredList } from './use-filtered-list.ts';

type Given = 'items' | 'getKey' | 'state' | 'onState' | 'query';

export interface FilteredListViewProps<Item> extends Omit<ListViewProps<Item>, Given> {
  /** A line above the list, which stays where it is. */
  readonly header?: Line;
  /** Whether the letters that the filter finds are marked here. @default true, else `toLine` does it */
  readonly marksFound?: boolean;
  readonly list: FilteredList<Item>;
  /** Shown where the filter finds nothing. @default 'Nothing matches.' */
  readonly noMatch?: string;
  /** @default 'a few letters' */
  readonly placeholder?: string;
  /** Gives it the keys, when its filter is asked for while another pane has them. */
  readonly onFocus?: (() => void) | undefined;
}

/** A list, and under it the line that narrows it. */
export function FilteredListView<Item>({
  list,
  header,
  marksFound = true,
  noMatch = 'Nothing matches.',
  placeholder,
  onFocus,
  rows,
  ...props
}: FilteredListViewProps<Item>) {
  const { columns, isFocused = true, empty } = props;
  const { filter, onFilter, count, ...given } = list;
  const height = rows - (isFilterShown(filter) ? 1 : 0) - (header === undefined ? 0 : 1);
  const query = filter.field.text;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {header && <LineView line={header} />}
      <Box height={height}>
        <ListView
          {...props}
          {...given}
          rows={height}
          query={marksFound ? query : ''}
          {...(query === '' ? { empty: empty ?? '' } : { empty: noMatch })}
        />
      </Box>
      <FilterLine
        state={filter}
        onState={onFilter}
        columns={columns}
        count={count}
        placeholder={placeholder ?? 'a few letters'}
        isActive={isFocused}
        onFocus={onFocus}
      />
    </Box>
  );
}
