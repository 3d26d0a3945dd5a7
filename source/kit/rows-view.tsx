import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import type { KeyHandlers } from './actions.ts';
import { FilterKeys, FilterLine } from './filter-line.tsx';
import { Keys } from './keys.tsx';
import { fitLine, type Line, markWords } from './line.ts';
import { LineView, ScrollMarks } from './line-view.tsx';
import {
  isFilterShown,
  type ListAction,
  type ListWindow,
  moveInList,
  SCROLL_COLUMNS,
  toListKeys,
  toListWindow,
  toMoved,
  toRowColumns,
} from './list-state.ts';
import { closeAll, openAll, type Row, type SeenRow, toFilterWords, toRowLine } from './row.ts';
import { wrapText } from './text.ts';
import { signs } from './theme.ts';
import type { Rows } from './use-rows.ts';

export interface RowsViewProps {
  readonly list: Rows;
  readonly columns: number;
  readonly rows: number;
  /** Gives a line above the rows, which stays where it is: the titles of columns, for the room that a row has. */
  readonly toHeader?: ((columns: number) => Line) | undefined;
  /** The keys of its rows, in the order of the key line. */
  readonly actions?: KeyHandlers | undefined;
  readonly isFocused?: boolean;
  /** Gives it the keys, when the user opens its filter while another pane has them. */
  readonly onFocus?: (() => void) | undefined;
  readonly empty?: string;
  readonly noMatch?: string;
  readonly placeholder?: string;
  /** Ids of the rows that the last load brought or changed: they have a sign. */
  readonly marked?: ReadonlySet<string> | undefined;
  /** Lines below the rows that narrow them too. */
  readonly children?: ReactNode;
}

/** Rows of which one is selected, and under them the line that narrows them. Draws no more than the window shows. */
export function RowsView(props: RowsViewProps) {
  const { list, columns, rows, toHeader, isFocused = true, onFocus, actions, children } = props;
  const { placeholder = 'words', marked } = props;
  const { seen, filter, onFilter, count } = list;
  const query = filter.field.text;
  const height = rows - (isFilterShown(filter) ? 1 : 0) - (toHeader === undefined ? 0 : 1);
  const window = toListWindow(list.state, list.keys, height);
  const { selected, offset } = window;
  const scrolls = seen.length > height;
  const narrowing = { state: filter, onState: onFilter, isActive: isFocused };
  return (
    <Keys actions={actions} isActive={isFocused}>
      <FilterKeys {...narrowing} onFocus={onFocus}>
        <RowKeys list={list} window={window} height={height} isFocused={isFocused}>
          <Box flexDirection="column" width={columns} height={rows}>
            {toHeader && (
              <LineView
                line={fitLine([{ text: '  ' }, ...toHeader(toRowColumns(columns))], columns)}
              />
            )}
            <Box height={height}>
              <Box flexDirection="column" width={columns - (scrolls ? SCROLL_COLUMNS : 0)}>
                {seen.length === 0 && <NoRows {...props} query={query} height={height} />}
                {seen.slice(offset, offset + height).map(({ parentId: _, ...shown }, index) => (
                  <RowLine
                    key={shown.row.id}
                    {...{ ...shown, query, columns, isFocused, scrolls }}
                    isSelected={offset + index === selected}
                    isMarked={marked !== undefined && isMarked(shown.row, marked)}
                  />
                ))}
              </Box>
              {scrolls && <ScrollMarks total={seen.length} rows={height} offset={offset} />}
            </Box>
            <FilterLine {...narrowing} columns={columns} count={count} placeholder={placeholder} />
          </Box>
          {children}
        </RowKeys>
      </FilterKeys>
    </Keys>
  );
}

interface NoRowsProps extends Pick<RowsViewProps, 'noMatch' | 'empty' | 'columns'> {
  readonly query: string;
  readonly height: number;
}

function NoRows(props: NoRowsProps) {
  const { noMatch = 'Nothing matches.', empty = 'Nothing here.', columns, query, height } = props;
  const lines = wrapText(query === '' ? empty : noMatch, columns - 3).slice(0, height);
  return lines.map((text) => (
    <LineView key={text} line={[{ text: `  ${text}`, token: 'muted' }]} />
  ));
}

/** A row has the mark of those inside of it. */
function isMarked({ id, children, hasChildren }: Row, marked: ReadonlySet<string>): boolean {
  if (marked.size === 0 || marked.has(id)) return marked.size > 0;
  return hasChildren === undefined && children?.some((child) => isMarked(child, marked)) === true;
}

interface RowKeysProps {
  readonly list: Rows;
  readonly window: ListWindow;
  readonly height: number;
  readonly isFocused: boolean;
  readonly children: ReactNode;
}

/** The keys that move and fold. */
function RowKeys({ list, window, height, isFocused, children }: RowKeysProps) {
  const { rows, seen, keys, onState, toggled, onToggled, toggle } = list;
  const selected = seen[window.selected];
  const toParent = (): number => {
    const parentId = selected?.parentId;
    const parent = parentId === undefined ? -1 : keys.indexOf(parentId);
    if (parent !== -1)
      onState({ selectedKey: parentId, index: parent, offset: Math.min(window.offset, parent) });
    return parent;
  };
  const open = (): void => {
    if (selected?.hasChildren && !selected.isOpen) toggle(selected.row.id);
  };
  const close = (): void => {
    if (selected?.hasChildren && selected.isOpen) toggle(selected.row.id);
    else toParent();
  };
  const fold = (): void => {
    if (selected?.hasChildren) return toggle(selected.row.id);
    const parent = toParent();
    if (parent !== -1) toggle(keys[parent] ?? '');
  };
  return (
    <Keys
      isMovement
      isActive={isFocused && seen.some(({ hasChildren }) => hasChildren)}
      actions={{
        toggle: fold,
        open,
        close,
        more: () => onToggled(openAll(rows, toggled)),
        less: () => onToggled(closeAll(seen)),
      }}
    >
      <Keys
        isMovement
        isActive={isFocused}
        actions={toListKeys((action) => onState(moveInList(action, window, { keys, height })))}
      >
        {children}
      </Keys>
    </Keys>
  );
}

interface RowLineProps extends Omit<SeenRow<Row>, 'parentId'> {
  readonly query: string;
  readonly columns: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly isFocused: boolean;
  readonly scrolls: boolean;
}

/** Drawn anew only where something of it has changed: a key that moves the selection changes two rows. */
const RowLine = memo(function RowLine({
  query,
  columns,
  isSelected,
  isMarked,
  isFocused,
  scrolls,
  ...seen
}: RowLineProps) {
  const pointer = isFocused ? signs.pointer : signs.dot;
  const before: Line = [
    { text: isSelected ? pointer : ' ', token: 'accent' },
    isMarked ? { text: signs.live, token: 'changed' } : { text: ' ' },
    { text: toIndent(seen), token: 'muted' },
  ];
  // The same room with a scroll mark and without one, so that columns stay where they are.
  const line = toRowLine(seen.row, toRowColumns(columns) - toIndent(seen).length);
  const room = columns - (scrolls ? SCROLL_COLUMNS : 0);
  const found = fitLine([...before, ...markWords(line, toFilterWords(query))], room);
  return <LineView line={found} isSelected={isSelected} isFocused={isFocused} />;
});

function toIndent(
  seen: Pick<SeenRow<Row>, 'depth' | 'hasChildren' | 'isOpen' | 'hasSign'>,
): string {
  const { depth, hasChildren, isOpen, hasSign } = seen;
  const indent = '  '.repeat(depth);
  if (hasChildren) return `${indent}${isOpen ? signs.open : signs.closed} `;
  return hasSign ? `${indent}  ` : indent;
}

export interface ScrollViewProps {
  /** Each at most `columns` wide; what is wider is cut. */
  readonly lines: readonly Line[];
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  readonly columns: number;
  readonly rows: number;
  readonly margin?: number;
  readonly isFocused?: boolean;
  /** The keys that scroll. @default those of a list */
  readonly toKeys?: (move: (action: ListAction) => void) => KeyHandlers;
}

/** Lines to read. Draws no more than the window shows. */
export function ScrollView(props: ScrollViewProps) {
  const { lines, offset, onOffset, columns, rows, margin = 0, isFocused = true } = props;
  const { toKeys = toListKeys } = props;
  const last = Math.max(0, lines.length - rows);
  const first = Math.min(offset, last);
  const move = (action: ListAction): void =>
    onOffset(toMoved(action, first, { last, height: rows }));
  const room = columns - (lines.length > rows ? SCROLL_COLUMNS : 0);
  return (
    <Keys isMovement isActive={isFocused} actions={toKeys(move)}>
      <Box width={columns}>
        <Box flexDirection="column" width={room}>
          {lines.slice(first, first + rows).map((line, row) => (
            <TextLine key={row} line={line} margin={margin} room={room} />
          ))}
        </Box>
        <ScrollMarks total={lines.length} rows={rows} offset={first} />
      </Box>
    </Keys>
  );
}

interface TextLineProps {
  readonly line: Line;
  readonly margin: number;
  readonly room: number;
}

const TextLine = memo(function TextLine({ line, margin, room }: TextLineProps) {
  return <LineView line={fitLine([{ text: ' '.repeat(margin) }, ...line], room)} />;
});
