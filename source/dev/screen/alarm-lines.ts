import { type Line, wrapLine } from '../../kit/line.ts';
import { cutText, textWidth } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import type { Size } from '../../kit/use-ui.ts';
import type { Break } from './use-contract-alarm.ts';

/** The columns of the sign before the text. */
const MARGIN = 3;

/** The one change as a sentence, or several in one line, as many as have room. */
export function toAlarmLines(breaks: readonly Break[], { columns, rows }: Size): readonly Line[] {
  const [first, ...others] = breaks;
  if (first === undefined) return [];
  if (others.length === 0) return wrapLine(toLine(first.sentence), columns).slice(0, rows);
  const clauses = breaks.map(({ clause }) => clause);
  const text = joinAsMany(
    clauses,
    columns,
    (shown, rest) =>
      `This edit breaks: ${shown}${rest === 0 ? '' : ` · ${rest} more, d shows them`}`,
  );
  return [toLine(text ?? `This edit breaks ${breaks.length} things, d shows them`)];
}

/** What saves made worse, in one line: as much as has room. */
export function toEffectLines(texts: readonly string[], columns: number): readonly Line[] {
  const [first] = texts;
  if (first === undefined) return [];
  const toText = (shown: string, rest: number): string =>
    rest === 0 ? shown : `${shown} · ${rest} more`;
  const text = joinAsMany(texts, columns, toText) ?? toText(first, texts.length - 1);
  return [toLine(cutText(text, columns - MARGIN))];
}

/** The text of as many as have room; undefined where not even the first has. */
function joinAsMany(
  texts: readonly string[],
  columns: number,
  toText: (shown: string, rest: number) => string,
): string | undefined {
  for (let count = texts.length; count > 0; count -= 1) {
    const text = toText(texts.slice(0, count).join(' · '), texts.length - count);
    if (textWidth(text) <= columns - MARGIN) return text;
  }
  return undefined;
}

function toLine(text: string): Line {
  return [
    { text: ` ${signs.warning} `, token: 'warning' },
    { text, token: 'warning' },
  ];
}
