import { Box } from 'ink';
import { foldLine } from '../../../kit/line/fold-line.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { useUi } from '../../../kit/theme/use-ui.ts';
import type { LogLine } from './log-buffer.ts';
import { LOG_INDENT, toLogLine } from './log-line.ts';
import type { LogView, LogWindow } from './log-view.ts';

export interface LogRowsProps {
  readonly window: LogWindow;
  readonly view: LogView;
  readonly columns: number;
  readonly rows: number;
}

/** The lines; one of them is selected while they are held. */
export function LogRows({ window, view, columns, rows }: LogRowsProps) {
  const { symbols } = useUi();
  const toRows = (line: LogLine): readonly Line[] => {
    const shown = toLogLine(line, view.search || view.filter, view.shift);
    if (!view.isWrapped) return [fitLine(shown, columns - MARK, symbols.ellipsis)];
    return foldLine(shown, { columns: columns - MARK, indent: LOG_INDENT });
  };
  const drawn = toDrawnRows(window, rows, toRows);
  const isSelectedLine = (index: number): boolean => view.cursor !== undefined && index === window.selected;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {drawn.map(({ index, part, id, line }) => {
        const isSelected = isSelectedLine(index);
        const mark = { text: isSelected && part === 0 ? `${symbols.pointer} ` : '  ', token: 'accent' } as const;
        return <LineView key={`${id} ${part}`} line={fitLine([mark, ...line], columns)} isSelected={isSelected} />;
      })}
    </Box>
  );
}

/** Columns of the pointer. */
const MARK = 2;

interface DrawnRow {
  readonly index: number;
  readonly id: number;
  /** Counts the rows of a line. */
  readonly part: number;
  readonly line: Line;
}

/** The rows of the window from its first line on, or from the first one with which the selected line is still shown to its end. */
export function toDrawnRows(
  { lines, selected, top }: LogWindow,
  rows: number,
  toRows: (line: LogLine) => readonly Line[],
): readonly DrawnRow[] {
  const all = lines.map((line, at) =>
    toRows(line).map((row, part): DrawnRow => ({ index: top + at, id: line.id, part, line: row })),
  );
  let start = selected - top;
  let left = rows - (all[start]?.length ?? 0);
  while (start > 0 && left >= (all[start - 1]?.length ?? 0)) left -= all[--start]?.length ?? 0;
  return all.slice(Math.max(0, start)).flat().slice(0, rows);
}
