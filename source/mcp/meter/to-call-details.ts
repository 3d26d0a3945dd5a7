import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import { type Line, toCell } from '../../kit/line/line.ts';
import { toDuration } from '../../kit/text/to-duration.ts';
import type { Symbols } from '../../kit/theme/tokens.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { toCount } from './meter-text.ts';
import { toMeterFact, toTimeText, toTokensText, toWrapped } from './to-meter-fact.ts';

export interface LineStyle {
  readonly symbols: Symbols;
  readonly width: number;
}

const TIME = 10;
const SIZE = 8;
const DURATION = 10;

/** The titles of the columns of the calls. */
export function toCallTitles({ width }: Pick<LineStyle, 'width'>): Line {
  const tool = 'Tool'.padEnd(toToolWidth(width));
  return [
    { text: `  ${'Time'.padEnd(TIME)}${tool}${'In'.padStart(SIZE)}${'Out'.padStart(SIZE)}`, token: 'muted' },
    { text: width < DURATION_FROM ? '' : 'Took'.padStart(DURATION), token: 'muted' },
  ];
}

const DURATION_FROM = 50;

function toToolWidth(width: number): number {
  return Math.max(8, width - TIME - 2 * SIZE - (width < DURATION_FROM ? 0 : DURATION));
}

/** A call as a line of the list. */
export function toCallLine(call: ToolCall, { width, symbols }: LineStyle): Line {
  const { tool, inputTokens, outputTokens, durationMs, isError } = call;
  const sign = isError ? `${symbols.cross} ` : '';
  return [
    { text: toTimeText(call.at).padEnd(TIME), token: 'muted' },
    ...toCell(`${sign}${tool}`, { width: toToolWidth(width), token: isError ? 'danger' : undefined }),
    { text: toCount(inputTokens).padStart(SIZE) },
    { text: toCount(outputTokens).padStart(SIZE), token: 'number' },
    { text: width < DURATION_FROM ? '' : toDuration(durationMs).padStart(DURATION), token: 'muted' },
  ];
}

/** All of a call, in lines of at most `width` columns. */
export function toCallDetails(call: ToolCall, width: number): readonly Line[] {
  const { tool, capability, client, isError, inputTokens, outputTokens, durationMs, at } = call;
  return [
    [{ text: stripControl(tool), token: 'title' }],
    ...(capability === undefined ? [] : [[{ text: capability, token: 'muted' } as const]]),
    [],
    toMeterFact('When', `${new Date(at).toLocaleDateString('en-CA')} ${toTimeText(at)}`),
    toMeterFact('Client', client === undefined ? 'says nothing about itself' : stripControl(client)),
    toMeterFact('Answer', isError ? 'an error' : 'a result'),
    toMeterFact('Input', toTokensText(inputTokens)),
    toMeterFact('Output', toTokensText(outputTokens)),
    toMeterFact('Took', toDuration(durationMs)),
    ...(outputTokens < LARGE_ANSWER ? [] : [[], ...toWrapped(largeAnswer, width)]),
  ];
}

/** Tokens of an answer from which on a model should not get many of its kind. */
const LARGE_ANSWER = 5_000;
const largeAnswer =
  'This answer takes much of a window. Give the capability fields to page by, or fewer fields in its answer; maxResultBytes of mcpTransport limits every answer.';
