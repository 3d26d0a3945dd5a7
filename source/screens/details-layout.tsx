import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Line } from '../kit/line/line-segments.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import { type Size, useUi } from '../kit/theme/use-ui.ts';
import { SidePane } from './side-pane.tsx';

export interface DetailsLayoutProps extends Size {
  /** What is said of the selection, in lines of at most `columns`; nothing is drawn where there are none. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** First line of the details that is shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  /** Whether the details have the keys. */
  readonly isInDetails: boolean;
  readonly children: (size: Size) => ReactNode;
}

/** From this width on details stand beside what they belong to, else below it. */
const WIDE = 110;

export function isWideBody({ columns }: Pick<Size, 'columns'>): boolean {
  return columns >= WIDE;
}

/** A pane, and beside or below it the details of what is selected there. */
export function DetailsLayout(props: DetailsLayoutProps) {
  const { columns, rows, toDetails, offset, onOffset, isInDetails, children } = props;
  const { symbols } = useUi();
  const isWide = isWideBody({ columns });
  const paneColumns = isWide ? Math.floor(columns * 0.42) : columns;
  const details = toDetails(paneColumns - 4);
  if (details.length === 0) return children({ columns, rows });
  const paneRows = isWide ? rows : Math.min(details.length + 1, Math.floor(rows * 0.4));
  const text = (
    <ScrollView
      lines={details}
      offset={offset}
      onOffset={onOffset}
      columns={paneColumns - 2}
      rows={isWide ? paneRows : paneRows - 1}
      title="Details"
      isFocused={isInDetails}
    />
  );
  if (isWide) {
    return (
      <Box height={rows}>
        <Box width={columns - paneColumns}>{children({ columns: columns - paneColumns, rows })}</Box>
        <SidePane columns={paneColumns} rows={rows}>
          {text}
        </SidePane>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" height={rows}>
      <Box height={rows - paneRows}>{children({ columns, rows: rows - paneRows })}</Box>
      <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
      <Box paddingLeft={2}>{text}</Box>
    </Box>
  );
}
