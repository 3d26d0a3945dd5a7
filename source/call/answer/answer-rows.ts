import type { Line } from '../../kit/line/line.ts';
import { toLineText } from '../../kit/line/line.ts';
import { textWidth, wrapText } from '../../kit/text/text-width.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { PrintedLine } from '../run/call-session.ts';
import type { Answered } from '../use-call.ts';
import { toBodyText, toDurationText, toSizeText } from './body-text.ts';
import { compareAnswers } from './compare-answers.ts';

/** The ways to look at an answer, in the order of their keys. */
export const answerTabs = ['tree', 'raw', 'headers', 'log', 'timing', 'compare'] as const;

export type AnswerTab = (typeof answerTabs)[number];

/** A row of a tab that is text. */
export interface AnswerRow {
  readonly id: string;
  readonly line: Line;
  /** The whole line that it is of. */
  readonly copied: string;
}

export interface AnswerRowsOptions {
  readonly answer: Answered | undefined;
  readonly log: readonly PrintedLine[];
  readonly columns: number;
  /** Whether long lines go on in the next row, else they are cut. */
  readonly isWrapped: boolean;
}

/** The lines of a tab, but the tree. */
export function toAnswerRows(
  tab: Exclude<AnswerTab, 'tree'>,
  { answer, log, columns, isWrapped }: AnswerRowsOptions,
): readonly AnswerRow[] {
  return toLines(tab, answer, log).flatMap((line, index): readonly AnswerRow[] => {
    const copied = toLineText(line);
    const rows = isWrapped ? wrapLine(line, copied, columns) : [line];
    return rows.map((row, part) => ({ id: `${tab} ${index} ${part}`, line: row, copied }));
  });
}

/** Only the last part of a line is long. */
function wrapLine(line: Line, text: string, columns: number): readonly Line[] {
  const last = line.at(-1);
  if (last === undefined || textWidth(text) <= columns) return [line];
  const before = line.slice(0, -1);
  const room = columns - textWidth(toLineText(before));
  if (room < 8) return wrapText(text, columns).map((part) => [{ text: part, token: last.token }]);
  return wrapText(last.text, room).map((part, index): Line => {
    const indent = ' '.repeat(columns - room);
    return index === 0 ? [...before, { ...last, text: part }] : [{ text: indent }, { ...last, text: part }];
  });
}

function toLines(
  tab: Exclude<AnswerTab, 'tree'>,
  answer: Answered | undefined,
  log: readonly PrintedLine[],
): readonly Line[] {
  if (tab === 'log') return toLogLines(answer, log);
  if (answer === undefined) return [];
  const { result, before } = answer;
  switch (tab) {
    case 'raw':
      return stripControl(result.http?.text ?? toBodyText(result))
        .replace(/\n$/, '')
        .split('\n')
        .map((text): Line => [{ text }]);
    case 'headers':
      return toHeaderLines(result.http?.headers);
    case 'timing':
      return toTimingLines(result);
    case 'compare':
      return compareAnswers(before, result);
  }
}

function toLogLines(answer: Answered | undefined, log: readonly PrintedLine[]): readonly Line[] {
  if (log.length > 0) return log.map(({ text, isError }): Line => [{ text, token: isError ? 'warning' : undefined }]);
  const isServer = answer?.result.http !== undefined;
  const text = isServer
    ? 'A server prints into its own log: that of capix dev is its third view.'
    : 'Nothing was printed.';
  return [[{ text, token: 'muted' }]];
}

function toHeaderLines(headers: NonNullable<Answered['result']['http']>['headers'] | undefined): readonly Line[] {
  if (headers === undefined)
    return [[{ text: 'Only an answer over HTTP has headers: Ctrl-T chooses a server.', token: 'muted' }]];
  return headers.map(([name, value]): Line => [{ text: `${name}: `, token: 'accent' }, { text: value }]);
}

const BAR = 30;

function toTimingLines({ durationMs, http }: Answered['result']): readonly Line[] {
  if (http === undefined) return [[{ text: 'call      ', token: 'muted' }, { text: toDurationText(durationMs) }]];
  const { connectMs, waitMs, readMs, bytes } = http;
  const parts = [
    ['connect', connectMs, 'connection open'],
    ['wait', waitMs, 'headers received'],
    ['read', readMs, `end, ${toSizeText(bytes)}`],
  ] as const;
  const whole = Math.max(connectMs + waitMs + readMs, 0.001);
  let from = 0;
  const bars = parts.map(([name, ms, told]): Line => {
    const start = Math.round((from / whole) * BAR);
    from += ms;
    const length = Math.max(1, Math.round((ms / whole) * BAR));
    const bar = `${' '.repeat(Math.min(start, BAR - 1))}${'='.repeat(length)}`.padEnd(BAR + 2);
    return [
      { text: name.padEnd(9), token: 'muted' },
      { text: toDurationText(ms).padStart(8) },
      { text: `  ${bar}`, token: 'accent' },
      { text: told, token: 'muted' },
    ];
  });
  return [...bars, [{ text: 'in all'.padEnd(9), token: 'muted' }, { text: toDurationText(whole).padStart(8) }]];
}
