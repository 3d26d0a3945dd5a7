import { Box } from 'ink';
import { keyPriority } from './key-stack.ts';
import type { Line } from './line-segments.ts';
import { fitLine } from './line-segments.ts';
import { LineView } from './line-view.tsx';
import { emptyList, type ListState, listBindings, moveInList, toListWindow } from './list-state.ts';
import { useKeys } from './use-keys.ts';
import { useUi } from './use-ui.ts';

export interface ListViewProps<Item> {
  readonly items: readonly Item[];
  /** Stable and unique. */
  readonly getKey: (item: Item) => string;
  readonly toLine: (item: Item, columns: number) => Line;
  readonly state: ListState | undefined;
  readonly onState: (state: ListState) => void;
  readonly columns: number;
  readonly rows: number;
  /** What the help calls its keys. @default 'List' */
  readonly title?: string;
  /** Whether it has the keys. @default true */
  readonly isFocused?: boolean;
  /** Shown where there are no items. */
  readonly empty?: string;
  readonly priority?: number;
}

/** A list of lines of which one is selected. Draws no more than the window shows. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const {
    items,
    getKey,
    toLine,
    state = emptyList,
    onState,
    columns,
    rows,
    title = 'List',
    isFocused = true,
    empty = 'Nothing here.',
    priority = keyPriority.pane,
  } = props;
  const { symbols } = useUi();
  const keys = items.map(getKey);
  const window = toListWindow(state, keys, rows);
  useKeys({
    title,
    bindings: listBindings,
    priority,
    isActive: isFocused,
    onAction: (action) => onState(moveInList(action, window, { keys, height: rows })),
  });
  const { selected, offset } = window;
  const hasScrollbar = items.length > rows;
  const width = columns - (hasScrollbar ? 1 : 0);
  const thumb = toThumb({ total: items.length, rows, offset });
  if (items.length === 0)
    return <LineView line={fitLine([{ text: `  ${empty}`, token: 'muted' }], columns, symbols.ellipsis)} />;
  return (
    <Box flexDirection="column" width={columns}>
      {items.slice(offset, offset + rows).map((item, row) => {
        const isSelected = offset + row === selected;
        const mark = isSelected ? `${symbols.pointer} ` : '  ';
        const line = fitLine([{ text: mark, token: 'accent' }, ...toLine(item, width - 2)], width, symbols.ellipsis);
        const bar = row >= thumb.from && row < thumb.to ? symbols.thumb : symbols.bar;
        return (
          <Box key={getKey(item)} height={1}>
            <LineView line={line} isSelected={isSelected} isFocused={isFocused} />
            {hasScrollbar && <LineView line={[{ text: bar, token: 'muted' }]} />}
          </Box>
        );
      })}
    </Box>
  );
}

function toThumb({ total, rows, offset }: { readonly total: number; readonly rows: number; readonly offset: number }) {
  const size = Math.max(1, Math.round((rows * rows) / Math.max(total, 1)));
  const from = Math.round((offset / Math.max(1, total - rows)) * (rows - size));
  return { from, to: from + size };
}
