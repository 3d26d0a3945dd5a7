import { Box } from 'ink';
import { fitLine, type Line, toFrameLines } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { SourcePlace } from '../manifest/find-source-place.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** Why something failed, as the loader and the commands say it. */
export interface ShownFailure {
  readonly message: string;
  readonly hint?: string | undefined;
  /** Lines of source around the place, as text. */
  readonly frame?: string | undefined;
  /** The place that the frame shows. */
  readonly place?: SourcePlace | undefined;
}

interface FailurePlace {
  readonly failure: ShownFailure;
  readonly columns: number;
  readonly rows: number;
}

/** A failure in at most `rows` rows: what happened, where, what to do. */
export function FailureBanner({ failure, columns, rows }: FailurePlace) {
  return (
    <Box flexDirection="column" height={rows} overflowY="hidden">
      {toBannerLines(failure, { columns, rows: rows - 1, sign: signs.cross })
        .slice(0, rows - 1)
        .map((line, index) => (
          <LineView key={index} line={fitLine(line, columns)} />
        ))}
      <LineView line={[{ text: signs.line.repeat(columns), token: 'muted' }]} />
    </Box>
  );
}

/** The number of rows that the banner takes: never more than half of what there is. */
export function toBannerRows(
  failure: ShownFailure,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number {
  return Math.min(
    toBannerLines(failure, { columns, rows: Infinity, sign: '' }).length + 1,
    Math.max(3, Math.floor(rows / 2)),
  );
}

interface BannerOptions {
  readonly columns: number;
  /** The number of lines that have room. */
  readonly rows: number;
  readonly sign: string;
}

function toBannerLines(
  { message, hint, frame }: ShownFailure,
  { columns, rows, sign }: BannerOptions,
): readonly Line[] {
  const text = wrapText(stripControl(message), columns - 4);
  return [
    ...text.map((line, index): Line => [{ text: ` ${index === 0 ? sign.padEnd(1) : ' '} ${line}`, token: 'danger' }]),
    ...(frame === undefined ? [] : toPlaceLines(frame, columns, rows - text.length)),
    ...(hint ? wrapText(stripControl(hint), columns - 4).map((line): Line => [{ text: `   ${line}` }]) : []),
  ];
}

/** The lines of a code frame that have room: the place and its mark stay the longest, after them what is before it. */
function toPlaceLines(frame: string, columns: number, rows: number): readonly Line[] {
  const lines = toFrameLines(frame, columns);
  if (lines.length <= rows) return lines;
  const place = Math.max(
    0,
    frame.split('\n').findIndex((line) => /^\s*>/.test(line)),
  );
  const start = rows < 2 ? place : Math.max(0, place + 2 - rows);
  return lines.slice(start, start + Math.max(0, rows));
}
