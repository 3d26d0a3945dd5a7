import { Box } from 'ink';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine, type Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { useUi } from '../theme/use-ui.ts';
import { listBindings } from './list-state.ts';

export interface ScrollViewProps {
  /** Each at most `columns` wide; what is wider is cut. */
  readonly lines: readonly Line[];
  /** Index of the first line shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  readonly columns: number;
  readonly rows: number;
  readonly title?: string;
  /** @default true */
  readonly isFocused?: boolean;
}

/** Lines to read. Draws no more than the window shows. */
export function ScrollView({
  lines,
  offset,
  onOffset,
  columns,
  rows,
  title = 'Text',
  isFocused = true,
}: ScrollViewProps) {
  const { symbols } = useUi();
  const last = Math.max(0, lines.length - rows);
  const first = Math.min(offset, last);
  useKeys({
    title,
    scope: 'move',
    bindings: listBindings,
    priority: keyPriority.pane,
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
  const hasMore = lines.length > rows;
  return (
    <Box flexDirection="column" width={columns}>
      {lines.slice(first, first + rows).map((line, row) => (
        <Box key={row} height={1}>
          <LineView line={fitLine(line, columns - (hasMore ? 1 : 0), symbols.ellipsis)} />
          {hasMore && <LineView line={[{ text: toBar(row), token: 'muted' }]} />}
        </Box>
      ))}
    </Box>
  );

  function toBar(row: number): string {
    if (row === 0 && first > 0) return symbols.up;
    return row === rows - 1 && first < last ? symbols.down : symbols.bar;
  }
}
