import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { Keys } from '../kit/keys.tsx';
import type { Line } from '../kit/line.ts';
import { LineView, PaneRule } from '../kit/line-view.tsx';
import { isFilterShown } from '../kit/list-state.ts';
import { RowsView, type RowsViewProps, ScrollView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { type Size, useMemory } from '../kit/use-ui.ts';

export interface RowsWithDetailsProps extends Omit<RowsViewProps, 'isFocused' | 'onFocus'> {
  /**
   * The lines about the selection, of at most `columns`, the same lines while the selection is the same; nothing is
   * drawn without any.
   */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The share of a narrow window that the details take below; 0 shows them in a wide one only. @default 0.4 */
  readonly belowShare?: number;
}

/** Rows, and beside or below them the details of the one that is selected; a key goes from pane to pane. */
export function RowsWithDetails({ toDetails, belowShare = 0.4, ...view }: RowsWithDetailsProps) {
  const { list, columns, rows, toHeader, actions, ...look } = view;
  const { selected, seen, filter } = list;
  const [wantsFocus, setWantsFocus] = useMemory('details focus', false);
  const [place, setPlace] = useMemory('details offset', { id: selected?.id, offset: 0 });
  const isWide = isWideBody({ columns });
  const isBelow = !isWide && belowShare > 0;
  const room = (isWide ? toSecondColumns(columns) : 0) + (isBelow ? columns : 0) - 4;
  const lines = useMemo(() => (room > 0 ? toDetails(room) : []), [toDetails, room]);
  const isFocused = wantsFocus && lines.length > 0;
  const toggle = (): void => setWantsFocus(!isFocused);
  const rowsView = (size: Size): ReactNode => (
    <RowsView
      {...look}
      {...{ list, toHeader, ...size }}
      isFocused={!isFocused}
      onFocus={isFocused ? toggle : undefined}
    />
  );
  const rowsNeeded =
    seen.length + (isFilterShown(filter) ? 1 : 0) + (toHeader === undefined ? 0 : 1);
  return (
    <Keys actions={lines.length > 0 ? { pane: toggle } : {}}>
      <Keys actions={actions}>
        <TwoPanes
          columns={columns}
          rows={rows}
          {...(lines.length === 0 && { wideFrom: Number.POSITIVE_INFINITY })}
          secondRows={(all) =>
            lines.length === 0
              ? 0
              : Math.min(lines.length + 1, Math.max(Math.floor(all * belowShare), all - rowsNeeded))
          }
          first={rowsView}
          second={(size) => (
            <ScrollView
              {...size}
              lines={lines}
              offset={place.id === selected?.id ? place.offset : 0}
              onOffset={(offset) => setPlace({ id: selected?.id, offset })}
              isFocused={isFocused}
            />
          )}
        />
      </Keys>
    </Keys>
  );
}

/** The width from which on two panes stand beside each other. */
const WIDE = 110;

export interface TwoPanesProps extends Size {
  /** The width from which on the second pane stands beside the first, else below it. @default 110 columns */
  readonly wideFrom?: number;
  /** Columns of the second pane, with the line between them that takes two, behind a blank. @default 42 % */
  readonly secondColumns?: (columns: number) => number;
  /** Rows of the second pane below the first, with the line between them; 0 hides it. */
  readonly secondRows: (rows: number) => number;
  /** Whether the second pane has a line above it where it stands below. @default true */
  readonly hasRule?: boolean;
  readonly first: (size: Size) => ReactNode;
  readonly second: (size: Size) => ReactNode;
}

/** Whether a body is wide enough for two panes beside each other. */
export function isWideBody({ columns }: Pick<Size, 'columns'>): boolean {
  return columns >= WIDE;
}

/** Two panes: in a wide window beside each other, else under each other. */
export function TwoPanes(props: TwoPanesProps) {
  const {
    columns,
    rows,
    wideFrom = WIDE,
    secondColumns = toSecondColumns,
    secondRows,
    hasRule = true,
  } = props;
  if (columns >= wideFrom) {
    const beside = secondColumns(columns);
    return (
      <Box height={rows}>
        <Box flexDirection="column" width={columns - beside} height={rows}>
          {props.first({ columns: columns - beside - 1, rows })}
        </Box>
        <Box width={beside} height={rows} overflowY="hidden">
          <Box width={2}>
            <PaneRule rows={rows} />
          </Box>
          <Box flexDirection="column" width={beside - 2}>
            {props.second({ columns: beside - 2, rows })}
          </Box>
        </Box>
      </Box>
    );
  }
  const below = secondRows(rows);
  if (below === 0) return props.first({ columns, rows });
  const indent = hasRule ? 2 : 0;
  return (
    <Box flexDirection="column" height={rows}>
      <Box flexDirection="column" height={rows - below}>
        {props.first({ columns, rows: rows - below })}
      </Box>
      {hasRule && <LineView line={[{ text: signs.line.repeat(columns), token: 'muted' }]} />}
      <Box paddingLeft={indent}>
        {props.second({ columns: columns - indent, rows: below - (hasRule ? 1 : 0) })}
      </Box>
    </Box>
  );
}

function toSecondColumns(columns: number): number {
  return Math.floor(columns * 0.42);
}
