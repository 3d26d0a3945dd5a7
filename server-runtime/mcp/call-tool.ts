import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Failure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { invokeOperation } from '../server/invoke/invoke-operation.ts';
import { readValue } from '../server/invoke/read-value.ts';
import { toCallEnds } from './call-ends.ts';
import type { Caller } from './serve/caller.ts';
import type { Closing } from './serve/closing.ts';
import { toToolError, toToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface ToolCall extends Caller {
  readonly input: Readonly<Record<string, unknown>>;
  /** Fires when the call is cancelled and when the caller leaves. */
  readonly signal: AbortSignal;
  readonly closing: Closing;
}

/** Runs the capability of a tool, and reads what it gives to its end. */
export async function callTool(app: Application, { operation }: Tool, call: ToolCall): Promise<CallToolResult> {
  const { input, headers, remoteAddress, closing } = call;
  const ends = toCallEnds(call.signal, closing.signal);
  const finish = async (value: unknown, signal: AbortSignal): Promise<CallToolResult> => {
    ends.limit();
    return toToolResult(await readValue(value, { signal, onLetGo: (cleaned) => closing.add(cleaned) }));
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal: ends.signal },
    { transport: 'mcp', remoteAddress, finish },
  );
  ends.release();
  return outcome.ok ? (outcome.value as CallToolResult) : refuse(app, operation, outcome.failure);
}

function refuse(app: Application, operation: Operation, failure: Failure): CallToolResult {
  if (failure.unexpected === true)
    app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: failure.cause });
  try {
    return toToolError(operation, failure);
  } catch (error) {
    app.logger.error(`[capix] The meta of ${failure.name} cannot be written as JSON; it was left out.`, { error });
    return toToolError(operation, { ...failure, meta: undefined });
  }
}
