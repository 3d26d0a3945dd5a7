import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import type { Line } from '../../kit/line/line.ts';
import type { Symbols } from '../../kit/theme/tokens.ts';
import type { ToolMeter } from '../../manifest/tools/tool-meter.ts';
import { addCall, noCalls } from './meter-rows.ts';
import { toCount } from './meter-text.ts';

const BAR = 12;

/** The facts of the line above everything. */
export interface HeadFacts {
  readonly budget: number;
  readonly calls: readonly ToolCall[];
  /** Whether the list is that of the calls. */
  readonly showsCalls: boolean;
  readonly symbols: Symbols;
}

/** The line above everything: the tools, what they cost of what they may, and what calls have cost. */
export function toMeterHead(meter: ToolMeter, { budget, calls, showsCalls, symbols }: HeadFacts): Line {
  const { tools, tokens, listedTokens } = meter;
  const share = listedTokens / budget;
  const token = share > 1 ? 'danger' : share > NEAR ? 'warning' : 'success';
  const filled = Math.min(BAR, Math.ceil(share * BAR));
  const silent = showsCalls ? 0 : tools.filter(({ isDescribed }) => !isDescribed).length;
  const full = symbols.bars.at(-1) ?? symbols.bar;
  return [
    { text: `  ${toCount(listedTokens)}`, token },
    { text: ` of ${toCount(budget)} tokens ` },
    { text: full.repeat(filled), token },
    { text: symbols.line.repeat(BAR - filled), token: 'muted' },
    { text: `  ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}` },
    ...(silent === 0 ? [] : [{ text: `  ${silent} without description`, token: 'warning' } as const]),
    ...toMuted(listedTokens === tokens ? '' : `  searched: all would take ${toCount(tokens)}`),
    ...toMuted(toCallsText(calls)),
  ];
}

function toCallsText(calls: readonly ToolCall[]): string {
  const { count, inputTokens, outputTokens } = calls.reduce(addCall, noCalls);
  if (count === 0) return '';
  return `  ${count === 1 ? '1 call' : `${count} calls`}: ${toCount(inputTokens)} in, ${toCount(outputTokens)} out`;
}

function toMuted(text: string): Line {
  return text === '' ? [] : [{ text, token: 'muted' }];
}

/** The share of the budget from which on it is nearly spent. */
const NEAR = 0.8;
