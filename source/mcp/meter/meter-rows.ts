import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import type { MeteredTool, ToolMeter } from '../../manifest/tools/tool-meter.ts';

/** A tool, and the calls that agents have made of it. */
export interface MeterRow {
  readonly tool: MeteredTool;
  readonly calls: CallSum;
}

/** Calls summed up; tokens are those of all of them. */
export interface CallSum {
  readonly count: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens of the largest answer. */
  readonly largest: number;
  /** When the last one was made, milliseconds since 1970; 0 without one. */
  readonly lastAt: number;
}

export const noCalls: CallSum = { count: 0, failed: 0, inputTokens: 0, outputTokens: 0, largest: 0, lastAt: 0 };

/** The order of the tools: the largest first, those that are called most first, or by name. */
export type MeterSort = 'tokens' | 'calls' | 'name';

export function nextSort(sort: MeterSort): MeterSort {
  return sort === 'tokens' ? 'calls' : sort === 'calls' ? 'name' : 'tokens';
}

export function toMeterRows({ tools }: ToolMeter, calls: readonly ToolCall[], sort: MeterSort): readonly MeterRow[] {
  const sums = new Map<string, CallSum>();
  for (const call of calls) sums.set(call.tool, addCall(sums.get(call.tool) ?? noCalls, call));
  const rows = tools.map((tool) => ({ tool, calls: sums.get(tool.name) ?? noCalls }));
  if (sort === 'tokens') return rows;
  return rows.toSorted((one, other) =>
    sort === 'calls' ? other.calls.count - one.calls.count : one.tool.name.localeCompare(other.tool.name, 'en'),
  );
}

export function addCall(sum: CallSum, { isError, inputTokens, outputTokens, at }: ToolCall): CallSum {
  return {
    count: sum.count + 1,
    failed: sum.failed + (isError ? 1 : 0),
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    largest: Math.max(sum.largest, outputTokens),
    lastAt: Math.max(sum.lastAt, at),
  };
}
