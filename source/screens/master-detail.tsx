import type { ReactNode } from 'react';
import type { Line } from '../kit/line.ts';
import { ScrollView } from '../kit/rows-view.tsx';
import type { Size } from '../kit/use-ui.ts';
import { isWideBody, TwoPanes, toSecondColumns } from './two-panes.tsx';
import type { Details } from './use-details.ts';

export interface MasterDetailProps extends Size {
  readonly details: Details;
  /** The details of the selection, in lines of at most `columns`; nothing is drawn where there are none. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The share of a narrow window that the details take below; 0 shows them in a wide one only. @default 0.4 */
  readonly belowShare?: number;
  /** Rows of the list with header and filter; the details below have the rest. @default as many as there are */
  readonly listRows?: number;
  /** The list or tree. */
  readonly children: (size: Size) => ReactNode;
}

/** A list or tree, and beside or below it the details of what is selected there. */
export function MasterDetail(props: MasterDetailProps) {
  const { columns, rows, details, toDetails, belowShare = 0.4, listRows = rows, children } = props;
  const isWide = isWideBody({ columns });
  const lines = isWide || belowShare > 0 ? toDetails((isWide ? toSecondColumns(columns) : columns) - 4) : [];
  if (lines.length === 0) return children({ columns, rows });
  return (
    <TwoPanes
      columns={columns}
      rows={rows}
      secondRows={(all) => Math.min(lines.length + 1, Math.max(Math.floor(all * belowShare), all - listRows))}
      first={children}
      second={(size) => (
        <ScrollView
          {...size}
          lines={lines}
          offset={details.offset}
          onOffset={details.onOffset}
          title="Details"
          isFocused={details.isFocused}
        />
      )}
    />
  );
}
