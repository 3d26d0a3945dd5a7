import { Box } from 'ink';
import type { ReactNode } from 'react';
import { LineView } from '../kit/line-view.tsx';
import { signs } from '../kit/theme.ts';
import type { Size } from '../kit/use-ui.ts';

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
