import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import { signs, type Token } from '../kit/theme.ts';
import type { Problem } from '../manifest/check-rules.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toPlaceText } from './check-text.ts';

interface ProblemRow extends ActionRow {
  /** The text beside the list, in lines of at most `columns`. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The first capability that it concerns. */
  readonly key?: string | undefined;
}

/** Columns from which on a line has the code of the problem: the details say it, too. */
const CODE_FROM = 60;

export function toProblemRows(problems: readonly Problem[]): readonly ProblemRow[] {
  return problems.map((problem) => {
    const { severity, code, message, hint = '', keys, file, line } = problem;
    const text = message.replaceAll('`', '');
    const [sign, token]: readonly [string, Token] =
      severity === 'error' ? [signs.cross, 'danger'] : [signs.warning, 'warning'];
    return {
      // Stays the same while the problem does.
      id: `${code} ${keys.join(' ')} ${message}`,
      line: (width) => [
        { text: `${sign} `, token },
        { text: width < CODE_FROM ? '' : code.padEnd(22), token: 'muted' },
        { text },
      ],
      search: `${code} ${text}`,
      copied: `${message}\n${hint}`,
      source: file === undefined ? undefined : { file, line },
      toDetails: (columns) => [
        [{ text: `${severity} ${code}`, token }],
        ...toDetailLines(problem, columns),
      ],
      key: keys[0],
    };
  });
}

/** The message, the next step and the place of a problem. */
function toDetailLines(
  { message, hint, keys, file, line }: Problem,
  width: number,
): readonly Line[] {
  const toText = (words: string): readonly Line[] =>
    wrapText(stripControl(words), width).map((text) => [{ text }]);
  const toFact = (label: string, text: string): readonly Line[] =>
    text === '' ? [] : [[{ text: label.padEnd(10), token: 'muted' }, { text }]];
  return [
    ...toText(message),
    ...(hint === undefined
      ? []
      : [[], [{ text: 'How to fix it', token: 'accent' } as const], ...toText(hint)]),
    [],
    ...toFact('Concerns', keys.join(', ')),
    ...toFact('Source', toPlaceText({ file, line })),
  ];
}
