import type { Line } from '../kit/line/line.ts';
import { wrapText } from '../kit/text/text-width.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import type { Problem } from '../manifest/problem.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

/** The text of a problem that is searched. */
export function toProblemText({ code, message }: Problem): string {
  return `${code} ${message.replaceAll('`', '')}`;
}

export interface ProblemLineStyle {
  readonly symbols: Symbols;
  /** The message has the columns where there are few: the details say the rest. */
  readonly width: number;
}

/** A problem as a line of the list. */
export function toProblemLine({ severity, code, message }: Problem, { symbols, width }: ProblemLineStyle): Line {
  const token = severity === 'error' ? 'danger' : 'warning';
  return [
    { text: `${severity === 'error' ? symbols.cross : symbols.warning} `, token },
    ...(width < SEVERITY_FROM ? [] : [{ text: severity.padEnd(9), token } as const]),
    ...(width < CODE_FROM ? [] : [{ text: code.padEnd(22), token: 'muted' } as const]),
    { text: message.replaceAll('`', '') },
  ];
}

/** Columns from which on a line has the code of the problem, and the word for its severity beside the sign. */
const CODE_FROM = 60;
const SEVERITY_FROM = 100;

/** All of a problem, in lines of at most `width` columns: what it is, what to do, where. */
export function toProblemDetails(
  { severity, code, message, hint, keys, file, line }: Problem,
  width: number,
): readonly Line[] {
  const text = (words: string): readonly Line[] => wrapText(stripControl(words), width).map((part) => [{ text: part }]);
  return [
    [{ text: `${severity} ${code}`, token: severity === 'error' ? 'danger' : 'warning' }],
    ...text(message),
    ...(hint === undefined ? [] : [[], [{ text: 'How to fix it', token: 'accent' } as const], ...text(hint)]),
    [],
    ...(keys.length === 0 ? [] : [[{ text: 'Concerns  ', token: 'muted' } as const, { text: keys.join(', ') }]]),
    ...(file === undefined
      ? []
      : [[{ text: 'Source    ', token: 'muted' } as const, { text: line === undefined ? file : `${file}:${line}` }]]),
  ];
}

/** Stays the same while the problem does. */
export function toProblemId({ code, keys, message }: Problem): string {
  return `${code} ${keys.join(' ')} ${message}`;
}
