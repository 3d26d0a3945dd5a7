import { type Line, wrapLine } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import type { Problem } from '../manifest/problem.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** A problem, or a rule with those of it. */
export interface ProblemRow extends ActionRow {
  /** The text beside the list, in lines of at most `columns`. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The first capability that it concerns. */
  readonly key?: string | undefined;
}

/** More problems are under the names of their rules. */
const FLAT_UNTIL = 100;

export function toProblemRows(problems: readonly Problem[]): readonly ProblemRow[] {
  const toRow = (problem: Problem): ProblemRow => toProblemRow(problem);
  const codes = [...new Set(problems.map(({ code }) => code))];
  if (problems.length <= FLAT_UNTIL || codes.length === 1) return problems.map(toRow);
  return codes.map((code, index): ProblemRow => {
    const inside = problems.filter((problem) => problem.code === code);
    const title: Line = [{ text: code, token: 'title' }];
    return {
      id: `rule ${code}`,
      line: [...title, { text: `  ${inside.length}`, token: 'muted' }],
      isOpen: index === 0,
      children: inside.map(toRow),
      copied: code,
      toDetails: (columns) => [
        title,
        [],
        ...inside.flatMap(({ message }) => wrapLine([{ text: withoutTicks(message) }], columns)),
      ],
    };
  });
}

function toProblemRow(problem: Problem): ProblemRow {
  const { code, message, hint = '', keys, file, line } = problem;
  return {
    id: toProblemId(problem),
    line: (width) => toProblemLine(problem, { width }),
    search: `${code} ${withoutTicks(message)}`,
    copied: `${message}\n${hint}`,
    source: file === undefined ? undefined : { file, line },
    toDetails: (columns) => toProblemDetails(problem, columns),
    key: keys[0],
  };
}

function withoutTicks(message: string): string {
  return message.replaceAll('`', '');
}

interface ProblemLineStyle {
  /** The message has the columns where there are few: the details say the rest. */
  readonly width: number;
}

function toProblemLine({ severity, code, message }: Problem, { width }: ProblemLineStyle): Line {
  const token = severity === 'error' ? 'danger' : 'warning';
  return [
    { text: `${severity === 'error' ? signs.cross : signs.warning} `, token },
    ...(width < SEVERITY_FROM ? [] : [{ text: severity.padEnd(9), token } as const]),
    ...(width < CODE_FROM ? [] : [{ text: code.padEnd(22), token: 'muted' } as const]),
    { text: withoutTicks(message) },
  ];
}

/** Columns from which on a line has the code of the problem, and the word for its severity beside the sign. */
const CODE_FROM = 60;
const SEVERITY_FROM = 100;

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
