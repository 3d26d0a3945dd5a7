import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Failure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { callOperation, type ProtocolCall } from './call-operation.ts';
import { toToolError, toToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

/** Runs the capability of a tool; questions to the user come before its result. */
export async function callTool(
  app: Application,
  { operation }: Tool,
  call: ProtocolCall,
): Promise<CallToolResult | InputRequiredResult> {
  const end = await callOperation(
    { app, operation, toAnswer: (content) => toToolResult(content, operation.key) },
    call,
  );
  switch (end.kind) {
    case 'answer':
      return end.answer;
    case 'questions':
      return end.questions;
    case 'refusal':
      return refuse(app, operation, end.failure);
  }
}

function refuse(app: Application, operation: Operation, failure: Failure): CallToolResult {
  try {
    return toToolError(operation, failure);
  } catch (error) {
    app.logger.error(`[capix] The meta of ${failure.name} cannot be written as JSON; it was left out.`, { error });
    return toToolError(operation, { ...failure, meta: undefined });
  }
}
