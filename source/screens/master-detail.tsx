import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import type { ListState } from '../kit/list-state.ts';
import { RowsView, type RowsViewProps, ScrollView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import type { Size } from '../kit/use-ui.ts';
import type { Details } from './use-details.ts';

export interface RowsWithDetailsProps extends Size, Omit<RowsViewProps, 'isFocused' | 'onFocus'> {
  readonly details: Details;
  /** The details of the selection, in lines of at most `columns`; nothing is drawn where there are none. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The share of a narrow window that the details take below; 0 shows them in a wide one only. @default 0.4 */
  readonly belowShare?: number;
  /** Rows of the list with header and filter; the details below have the rest. @default as many as there are */
  readonly listRows?: number;
}

/** A list or tree, and beside or below it the details of what is selected there. */
export function RowsWithDetails(props: RowsWithDetailsProps) {
  const { columns, rows, list, details, toDetails, belowShare = 0.4, listRows = rows } = props;
  const isWide = isWideBody({ columns });
  const lines = isWide || belowShare > 0 ? toDetails((isWide ? toSecondColumns(columns) : columns) - 4) : [];
  const onState = (state: ListState): void => {
    details.rewind();
    list.onState(state);
  };
  const { isFocused, toggle } = details;
  const toRows = (size: Size) => (
    <RowsView
      {...props}
      {...size}
      list={{ ...list, onState }}
      isFocused={!isFocused}
      onFocus={isFocused ? toggle : undefined}
    />
  );
  if (lines.length === 0) return toRows({ columns, rows });
  return (
    <TwoPanes
      columns={columns}
      rows={rows}
      secondRows={(all) => Math.min(lines.length + 1, Math.max(Math.floor(all * belowShare), all - listRows))}
      first={toRows}
      second={(size) => <ScrollView {...size} {...details} lines={lines} title="Details" />}
    />
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
  const { columns, rows, wideFrom = WIDE, secondColumns = toSecondColumns, secondRows, hasRule = true } = props;
  if (columns >= wideFrom) {
    const beside = secondColumns(columns);
    return (
      <Box height={rows}>
        <Box flexDirection="column" width={columns - beside} height={rows}>
          {props.first({ columns: columns - beside - 1, rows })}
        </Box>
        <Box width={beside} height={rows}>
          <SidePane columns={beside} rows={rows}>
            {props.second({ columns: beside - 2, rows })}
          </SidePane>
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
      <Box paddingLeft={indent}>{props.second({ columns: columns - indent, rows: below - (hasRule ? 1 : 0) })}</Box>
    </Box>
  );
}

/** The columns of the second pane, where nothing else is asked for. */
export function toSecondColumns(columns: number): number {
  return Math.floor(columns * 0.42);
}

/** A pane at the right, behind a line that takes two columns. */
function SidePane({ columns, rows, children }: Size & { readonly children: ReactNode }) {
  return (
    <Box width={columns} height={rows} overflowY="hidden">
      <Box flexDirection="column" width={2}>
        {Array.from({ length: rows }, (_, row) => (
          <LineView key={row} line={[{ text: `${signs.bar} `, token: 'muted' }]} />
        ))}
      </Box>
      <Box flexDirection="column" width={columns - 2}>
        {children}
      </Box>
    </Box>
  );
}
