import { type Line, toCell } from '../../kit/line/line.ts';
import type { MeterRow } from './meter-rows.ts';
import { toCount } from './meter-text.ts';
import { FACT, toMeterFact, toTimeText, toTokensText, toWrapped } from './to-meter-fact.ts';

const TOKENS = 7;
const CALLS = 7;
/** Columns from which on a row has the number of its calls. */
const CALLS_FROM = 50;
const SILENT = 'no description';

/** The titles of the columns of the tools. */
export function toToolTitles({ width }: { readonly width: number }): Line {
  const calls = width < CALLS_FROM ? '' : 'Calls'.padStart(CALLS);
  return [{ text: `  ${'Tokens'.padStart(TOKENS)}${calls}  Tool`, token: 'muted' }];
}

/** A tool as a line of the list. */
export function toToolLine({ tool, calls }: MeterRow, { width }: { readonly width: number }): Line {
  const { name, tokens, isDescribed } = tool;
  const count = calls.count === 0 ? '' : toCount(calls.count);
  const room = width - 1 - TOKENS - (width < CALLS_FROM ? 0 : CALLS) - 2 - (isDescribed ? 0 : SILENT.length + 2);
  return [
    { text: toCount(tokens).padStart(TOKENS), token: 'number' },
    ...(width < CALLS_FROM ? [] : [{ text: count.padStart(CALLS), token: 'muted' } as const]),
    { text: '  ' },
    ...toCell(name, { width: Math.max(1, room) }),
    ...(isDescribed ? [] : [{ text: `  ${SILENT}`, token: 'warning' } as const]),
  ];
}

/** All of a tool, in lines of at most `width` columns: what it costs by part, and how to make it smaller. */
export function toToolDetails({ tool, calls }: MeterRow, width: number): readonly Line[] {
  const { parts, fields, advice } = tool;
  const shown = Object.entries(parts).filter(([, tokens]) => tokens > 0);
  const answers = Math.round(calls.outputTokens / Math.max(1, calls.count));
  return [
    [{ text: tool.name, token: 'title' }],
    [{ text: tool.capability, token: 'muted' }],
    [],
    toMeterFact('Takes', toTokensText(tool.tokens)),
    ...shown.map(([part, tokens]) => toMeterFact(`  ${part}`, toCount(tokens))),
    ...(fields.length === 0 ? [] : [[], [{ text: 'Largest fields', token: 'accent' } as const]]),
    ...fields.map(({ part, name, tokens }) =>
      toMeterFact(`  ${part}.${name}`, toCount(tokens), Math.max(FACT, width - 8)),
    ),
    ...(advice.length === 0 ? [] : [[], [{ text: 'How to improve it', token: 'accent' } as const]]),
    ...advice.flatMap((words) => toWrapped(words, width)),
    ...(calls.count === 0
      ? []
      : [
          [],
          toMeterFact('Calls', `${toCount(calls.count)}, ${calls.failed} failed, last at ${toTimeText(calls.lastAt)}`),
          toMeterFact('Answers', `${toTokensText(answers)} on average, ${toCount(calls.largest)} the largest`),
        ]),
  ];
}
