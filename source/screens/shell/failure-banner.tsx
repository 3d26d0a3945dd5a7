import { Box } from 'ink';

import { fitLine, type Line } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { toFrameLines } from '../../kit/line/to-frame-lines.ts';
import { wrapText } from '../../kit/text/text-width.ts';
import { useUi } from '../../kit/theme/use-ui.ts';
import type { SourcePlace } from '../../manifest/find-source-place.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';

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
  const { symbols } = useUi();
  return (
    <Box flexDirection="column" height={rows} overflowY="hidden">
      {toBannerLines(failure, columns, symbols.cross)
        .slice(0, rows - 1)
        .map((line, index) => (
          <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
        ))}
      <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
    </Box>
  );
}

/** The number of rows that the banner takes: never more than half of what there is. */
export function toBannerRows(
  failure: ShownFailure,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number {
  return Math.min(toBannerLines(failure, columns, '').length + 1, Math.max(3, Math.floor(rows / 2)));
}

function toBannerLines({ message, hint, frame }: ShownFailure, columns: number, sign: string): readonly Line[] {
  const text = wrapText(stripControl(message), columns - 4);
  return [
    ...text.map((line, index): Line => [{ text: ` ${index === 0 ? sign.padEnd(1) : ' '} ${line}`, token: 'danger' }]),
    ...(frame === undefined ? [] : toFrameLines(frame, columns)),
    ...(hint ? wrapText(stripControl(hint), columns - 4).map((line): Line => [{ text: `   ${line}` }]) : []),
  ];
}
