import type { Problem } from '../project/problem.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { type Line, markMatches, toCell } from '../ui/line-segments.ts';
import { wrapText } from '../ui/text-width.ts';
import type { Symbols } from '../ui/theme.ts';

/** What is searched of a problem. */
export function toProblemText({ code, message }: Problem): string {
  return `${code} ${message.replaceAll('`', '')}`;
}

export interface ProblemLineStyle {
  readonly symbols: Symbols;
  /** Letters of its text that a filter found. */
  readonly matches: readonly number[];
}

/** A problem as a line of the list. */
export function toProblemLine(problem: Problem, { symbols, matches }: ProblemLineStyle): Line {
  const { severity, code } = problem;
  const token = severity === 'error' ? 'danger' : 'warning';
  const text = toProblemText(problem);
  const messageStart = code.length + 1;
  return [
    { text: `${severity === 'error' ? symbols.cross : symbols.warning} ${severity.padEnd(7)}  `, token },
    ...toCell(code, { width: CODE_WIDTH, token: 'muted', matches: matches.filter((at) => at < code.length) }),
    ...markMatches(text.slice(messageStart), {
      matches: matches.filter((at) => at >= messageStart).map((at) => at - messageStart),
    }),
  ];
}

const CODE_WIDTH = 22;

/** All of a problem, in lines of at most `width` columns: what it is, what to do, where. */
export function toProblemDetails(
  { severity, code, message, hint, keys, file, line }: Problem,
  width: number,
): readonly Line[] {
  const text = (words: string): readonly Line[] => wrapText(stripControl(words), width).map((part) => [{ text: part }]);
  return [
    [{ text: `${severity} ${code}`, token: severity === 'error' ? 'danger' : 'warning' }],
    ...text(message),
    ...(hint === undefined ? [] : [[], [{ text: 'To mend it', token: 'accent' } as const], ...text(hint)]),
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
