import { type Line, type Segment, toFrameLines } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { ShownFailure } from '../values/shown-failure.ts';

/** A failure in at most half of the rows: what happened, where, what to do; of the code as much as has room. */
export function toBannerLines(
  { message, hint = '', frame = '' }: ShownFailure,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly Line[] {
  const most = Math.max(3, Math.floor(rows / 2)) - 1;
  const text = toSignedLines(message, columns, { text: signs.cross, token: 'danger' });
  const hints = hint === '' ? [] : toSignedLines(hint, columns, { text: ' ' });
  const lines = frame === '' ? [] : frame.split('\n');
  const room = Math.max(0, most - text.length);
  // The place and its mark stay the longest.
  const place = lines.findIndex((line) => /^\s*>/.test(line));
  const start = Math.max(0, Math.min(place, lines.length - room));
  const shown = toFrameLines(lines.slice(start, start + room).join('\n'));
  const rule: Line = [{ text: signs.line.repeat(columns), token: 'muted' }];
  return [
    ...[...text, ...(room === 0 || frame === '' ? [] : shown), ...hints].slice(0, most),
    rule,
  ];
}

export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

/** A trouble that the screen can live with: one row where both sentences fit, else one for each, cut at its end. */
export function toTroubleLines({ message, hint }: Trouble, columns: number): readonly Line[] {
  const toLines = (text: string, width: number) =>
    toSignedLines(text, width, { text: signs.warning, token: 'warning' });
  const whole = toLines(`${message} ${hint}`, columns);
  return whole.length === 1 ? whole : [message, hint].flatMap((text) => toLines(text, Infinity));
}

/** Lines with a sign before the first one. */
function toSignedLines(text: string, columns: number, sign: Segment): readonly Line[] {
  return wrapText(stripControl(text), columns - 4).map(
    (line, index): Line => [
      { text: ` ${index === 0 ? sign.text : ' '} ${line}`, token: sign.token },
    ],
  );
}
