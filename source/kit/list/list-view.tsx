import { Box } from 'ink';
import { memo, useMemo } from 'react';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine, type Line, markLine, toLineText } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { findWords } from '../rows/row.ts';
import { wrapText } from '../text/text-width.ts';
import { useUi } from '../theme/use-ui.ts';
import { emptyList, type ListState, listBindings, moveInList, toListWindow } from './list-state.ts';
import { ROW_MARKS, toScrollMarks } from './to-scroll-marks.ts';

export interface ListViewProps<Item> {
  readonly items: readonly Item[];
  /** Stable and unique. The same function as long as it gives the same keys: those of all items are read anew with a new one. */
  readonly getKey: (item: Item) => string;
  /** The same function as long as it gives the same lines: rows are drawn anew with a new one. */
  readonly toLine: (item: Item, columns: number) => Line;
  /** Whether the last load brought or changed it: it has a sign for as long as this is so. */
  readonly isMarked?: (item: Item) => boolean;
  /** The letters of a line that it finds are marked. @default none, or `toLine` does it */
  readonly query?: string;
  readonly state: ListState | undefined;
  readonly onState: (state: ListState) => void;
  readonly columns: number;
  readonly rows: number;
  /** The title of its keys in the help. @default 'List' */
  readonly title?: string;
  /** Whether it has the keys. @default true */
  readonly isFocused?: boolean;
  /** Shown where there are no items. */
  readonly empty?: string;
  /** Whether a blank row stands before an item, which it does where all items and all blanks have room. @default never */
  readonly isApart?: (item: Item) => boolean;
  readonly priority?: number;
}

/** A list of lines of which one is selected. Draws no more than the window shows. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { items, getKey, toLine, isMarked, query = '', state = emptyList, onState, columns, rows } = props;
  const { title = 'List', isFocused = true, empty = 'Nothing here.', priority = keyPriority.pane } = props;
  const { symbols } = useUi();
  const keys = useMemo(() => items.map(getKey), [items, getKey]);
  const window = toListWindow(state, keys, rows);
  useKeys({
    title,
    bindings: listBindings,
    priority,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => onState(moveInList(action, window, { keys, height: rows })),
  });
  const { selected, offset } = window;
  const slots = toSlots(items, { offset, rows, isApart: props.isApart });
  const ends = toScrollMarks({ total: items.length, rows, offset }, symbols);
  if (items.length === 0)
    return (
      <Box flexDirection="column">
        {wrapText(empty, columns - 3)
          .slice(0, rows)
          .map((text, row) => (
            <LineView key={row} line={fitLine([{ text: `  ${text}`, token: 'muted' }], columns, symbols.ellipsis)} />
          ))}
      </Box>
    );
  return (
    <Box flexDirection="column" width={columns}>
      {slots.map((index, row) => {
        const item = index === undefined ? undefined : items[index];
        if (item === undefined) return <LineView key={`blank ${row}`} line={[{ text: ' ' }]} />;
        return (
          <Row
            key={getKey(item)}
            item={item}
            toLine={toLine as RowProps['toLine']}
            query={query}
            width={columns}
            isSelected={index === selected}
            isMarked={isMarked?.(item) ?? false}
            isFocused={isFocused}
            end={ends[row] ?? ''}
          />
        );
      })}
    </Box>
  );
}

interface SlotOptions<Item> {
  readonly offset: number;
  readonly rows: number;
  readonly isApart: ListViewProps<Item>['isApart'] | undefined;
}

/** The index of the item in each row that is drawn; undefined in a blank one. */
function toSlots<Item>(
  items: readonly Item[],
  { offset, rows, isApart }: SlotOptions<Item>,
): readonly (number | undefined)[] {
  const shown = items.slice(offset, offset + rows);
  const apart = isApart === undefined ? [] : shown.filter((item, index) => index > 0 && isApart(item));
  const hasRoom = items.length + apart.length <= rows;
  return shown.flatMap((item, index) =>
    hasRoom && apart.includes(item) ? [undefined, offset + index] : [offset + index],
  );
}

interface RowProps {
  readonly item: unknown;
  readonly toLine: (item: unknown, columns: number) => Line;
  readonly query: string;
  readonly width: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly isFocused: boolean;
  /** The piece of the scroll mark at its end; empty without one. */
  readonly end: string;
}

/** Drawn anew only where something of it has changed: a key that moves the selection changes two rows. */
const Row = memo(function Row({ item, toLine, query, width, isSelected, isMarked, isFocused, end }: RowProps) {
  const { symbols } = useUi();
  const pointer = isFocused ? symbols.pointer : symbols.dot;
  const marks: Line = [
    { text: isSelected ? pointer : ' ', token: 'accent' },
    isMarked ? { text: symbols.live, token: 'changed' } : { text: ' ' },
  ];
  const room = width - end.length;
  const text = toLine(item, room - ROW_MARKS);
  const found = query === '' ? text : markLine(text, findWords(toLineText(text), query));
  const line = fitLine([...marks, ...found], room, symbols.ellipsis);
  return (
    <LineView
      line={isSelected || end !== '' ? line : withoutEnd(line)}
      end={end}
      isSelected={isSelected}
      isFocused={isFocused}
    />
  );
});

/** Blanks at the end cost as much to draw as letters, and nobody sees them. */
function withoutEnd(line: Line): Line {
  const last = line.at(-1);
  return last !== undefined && last.token === undefined && last.text.trim() === '' && line.length > 1
    ? line.slice(0, -1)
    : line;
}
