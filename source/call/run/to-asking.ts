import type { CallerTools } from '../../../server-runtime/capability/middleware/caller-tools.ts';
import { askApproval } from '../../../server-runtime/mcp/ask/ask-approval.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import type { InvocationToEnd } from './invoke-to-end.ts';

/** The user is asked what the capability asks, and whether it may run at all where it wants approval. */
export function toAsking(operation: Operation, caller: CallerTools): Pick<InvocationToEnd, 'caller' | 'checkInput'> {
  const { tool } = operation.definition;
  const { approve = false } = tool === false || tool === undefined ? {} : tool;
  if (approve === false) return { caller };
  const question = approve === true ? `Call ${operation.key}? It requires approval.` : approve;
  return { caller, checkInput: (input) => askApproval({ operation, question, caller }, input) };
}
