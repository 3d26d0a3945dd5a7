import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { type ToolCall, toTokens } from '../server/log/tool-call.ts';

/** The facts of a call before it is made. */
export interface ObservedCall extends Pick<ToolCall, 'tool' | 'client'> {
  readonly input: unknown;
  readonly onTool: (call: ToolCall) => void;
  /** Key of the capability, once it is known. */
  readonly findCapability: () => string | undefined;
}

/** Makes a call, and tells whoever looks on what it cost. */
export async function observeCall<Result extends CallToolResult | InputRequiredResult>(
  { tool, client, input, onTool, findCapability }: ObservedCall,
  call: () => Promise<Result>,
): Promise<Result> {
  const at = Date.now();
  const startedAtMs = performance.now();
  const tell = (outputTokens: number, isError: boolean): void =>
    onTool({
      at,
      tool,
      capability: findCapability(),
      inputTokens: toTokens(input),
      outputTokens,
      durationMs: performance.now() - startedAtMs,
      isError,
      client,
    });
  try {
    const result = await call();
    tell(toAnswerTokens(result), result['isError'] === true);
    return result;
  } catch (error) {
    tell(toTokens(String(error)), true);
    throw error;
  }
}

/** A model reads the content; the same for machines stands beside it. */
function toAnswerTokens(result: CallToolResult | InputRequiredResult): number {
  const { content } = result as Partial<CallToolResult>;
  if (content === undefined) return toTokens(result);
  return content.reduce((sum, part) => sum + toTokens(part.type === 'text' ? part.text : part), 0);
}
