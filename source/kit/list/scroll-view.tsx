import { Box } from 'ink';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine, type Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { listBindings } from './list-state.ts';
import { SCROLL_COLUMNS, toScrollMarks } from './to-scroll-marks.ts';

export interface ScrollViewProps {
  /** Each at most `columns` wide; what is wider is cut. */
  readonly lines: readonly Line[];
  /** Index of the first line shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  readonly columns: number;
  readonly rows: number;
  /** Blank columns before each line. @default 0 */
  readonly margin?: number;
  readonly title?: string;
  /** @default true */
  readonly isFocused?: boolean;
  readonly priority?: number;
}

/** Lines to read. Draws no more than the window shows. */
export function ScrollView({
  lines,
  offset,
  onOffset,
  columns,
  rows,
  margin = 0,
  title = 'Text',
  isFocused = true,
  priority = keyPriority.pane,
}: ScrollViewProps) {
  const last = Math.max(0, lines.length - rows);
  const first = Math.min(offset, last);
  useKeys({
    title,
    bindings: listBindings,
    priority,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => {
      const page = Math.max(1, rows - 1);
      const to = { up: first - 1, down: first + 1, pageUp: first - page, pageDown: first + page, first: 0, last }[
        action
      ];
      onOffset(Math.max(0, Math.min(last, to)));
    },
  });
  const ends = toScrollMarks({ total: lines.length, rows, offset: first });
  const room = columns - (ends.length > 0 ? SCROLL_COLUMNS : 0);
  return (
    <Box flexDirection="column" width={columns}>
      {lines.slice(first, first + rows).map((line, row) => (
        <LineView
          key={row}
          line={fitLine(margin === 0 ? line : [{ text: ' '.repeat(margin) }, ...line], room)}
          end={ends[row] ?? ''}
        />
      ))}
    </Box>
  );
}
