import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { Problem } from '../manifest/problem.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { stripControl } from '../terminal/strip-control.ts';

export interface ProblemRow extends ActionRow {
  /** The text beside the list, in lines of at most `columns`. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The first capability that it concerns. */
  readonly key?: string | undefined;
}

export function toProblemRows(problems: readonly Problem[]): readonly ProblemRow[] {
  return problems.map((problem) => {
    const { code, message, hint = '', keys, file, line } = problem;
    return {
      id: toProblemId(problem),
      line: (width) => toProblemLine(problem, width),
      search: `${code} ${withoutTicks(message)}`,
      copied: `${message}\n${hint}`,
      source: file === undefined ? undefined : { file, line },
      toDetails: (columns) => toProblemDetails(problem, columns),
      key: keys[0],
    };
  });
}

function withoutTicks(message: string): string {
  return message.replaceAll('`', '');
}

/** Columns from which on a line has the code of the problem: the details say it, too. */
const CODE_FROM = 60;

function toProblemLine({ severity, code, message }: Problem, width: number): Line {
  const isError = severity === 'error';
  return [
    { text: `${isError ? signs.cross : signs.warning} `, token: isError ? 'danger' : 'warning' },
    { text: width < CODE_FROM ? '' : code.padEnd(22), token: 'muted' },
    { text: withoutTicks(message) },
  ];
}

/** All of a problem, in lines of at most `width` columns: what it is, what to do, where. */
function toProblemDetails(
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
