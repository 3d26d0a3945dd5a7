import type { CommandHelp } from '../cli/command-help.ts';
import type { Line } from '../kit/line/line.ts';
import { wrapLine } from '../kit/line/wrap-line.ts';
import { fitText, textWidth, wrapText } from '../kit/text/text-width.ts';

/** The lines about a command that has no screen: what to type, what it does, its options. `usage`: the words after `capix`. */
export function toCommandLines(usage: string, program: CommandHelp['program'], columns: number): readonly Line[] {
  const name = usage.split(' ')[0];
  const node = program().commands.find((one) => one.name === name);
  const options = (node?.options ?? []).map(({ names, summary, takesValue }) => ({
    text: `${names.join(', ')}${takesValue ? ' <value>' : ''}`,
    summary,
  }));
  const width = Math.min(MAX_OPTION, Math.max(0, ...options.map(({ text }) => textWidth(text))));
  return [
    [{ text: ` capix ${usage}`, token: 'accent' }],
    [],
    ...wrapText(node ? `${node.summary}.` : '', columns - 2).map((text): Line => [{ text: ` ${text}` }]),
    [{ text: ' It has no screen: run it in your shell.', token: 'muted' }],
    [],
    ...options.flatMap(({ text, summary }) =>
      wrapLine([{ text: ` ${fitText(text, width)}  `, token: 'key' }, { text: summary }], columns - 1),
    ),
  ];
}

/** Columns that the names of an option have at most. */
const MAX_OPTION = 28;
