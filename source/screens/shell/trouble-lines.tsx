import { Box } from 'ink';
import { fitLine, type Line } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { wrapText } from '../../kit/text/text-width.ts';
import { useUi } from '../../kit/theme/use-ui.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';

/** The lines of a trouble, and what to do about it. */
export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

/** A trouble that the screen can live with, in at most two rows. */
export function TroubleLines({ trouble, columns }: { readonly trouble: Trouble; readonly columns: number }) {
  const { symbols } = useUi();
  return (
    <Box flexDirection="column">
      {toTroubleLines(trouble, columns, symbols.warning).map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}

/** One row where both sentences fit, else one for each, cut at its end. */
export function toTroubleLines({ message, hint }: Trouble, columns: number, sign = ' '): readonly Line[] {
  const whole = stripControl(`${message} ${hint}`);
  const rows = wrapText(whole, columns - 4).length === 1 ? [whole] : [stripControl(message), stripControl(hint)];
  return rows.map((text, index): Line => [{ text: ` ${index === 0 ? sign : ' '} ${text}`, token: 'warning' }]);
}
