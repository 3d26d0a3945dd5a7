import { z } from 'zod';
import type { CallerTools } from '../../capability/call-request.ts';
import { InputRequired } from '../../enhancers/with-caller.ts';
import { defineError } from '../../errors/define-error.ts';
import { failure, type Outcome } from '../../errors/failure.ts';
import type { Operation } from '../../registry/operation.ts';
import { looksSecret } from '../../schema/looks-secret.ts';
import { cutReceived } from '../../schema/received.ts';
import { createValidator } from '../../schema/validator.ts';
import { isDestructive, isReadOnly } from '../tool-annotations.ts';

/** The calls of agents that their user must approve: those that may destroy something, or all that change something. */
export type ApprovalRule = 'destructive' | 'changes';

/**
 * 403: the user was asked, and did not approve the call. Hooks see it.
 *
 * @example
 * ```ts
 * import { NotApproved } from 'capix/mcp';
 *
 * const hooks = {
 *   onError: ({ failure }: { failure: { name: string } }) => {
 *     if (failure.name === NotApproved.errorName) console.info('A call was not approved.');
 *   },
 * };
 * ```
 */
export const NotApproved = defineError(403, 'NotApproved');

/** The errors of a tool that asks for approval, beside those that are declared. */
export const approvalErrors = [InputRequired, NotApproved];

/** The question before a call, without its input; undefined for one that needs no approval. */
export function findApprovalQuestion(operation: Operation, rule: ApprovalRule | undefined): string | undefined {
  const { key, definition } = operation;
  const { tool: options } = definition;
  const { approve, title = key } = options === false || options === undefined ? {} : options;
  if (typeof approve === 'string') return approve;
  const isAsked = rule === 'changes' ? !isReadOnly(operation) : rule === 'destructive' && isDestructive(operation);
  return (approve ?? isAsked) ? `The agent wants to call ${title}. Approve it?` : undefined;
}

/** One call that needs approval. */
export interface ApprovalCall {
  readonly operation: Operation;
  readonly question: string;
  readonly caller: CallerTools;
}

/** An empty form: its user accepts, or does not. */
const nothing = z.object({});
/** The longest text of an input that is shown, characters. */
const MAX_SHOWN = 1000;

/** Asks the user of an agent whether a call may run, once its input is valid, and gives the input or the refusal. */
export async function askApproval({ operation, question, caller }: ApprovalCall, input: unknown): Promise<Outcome> {
  const valid = await createValidator(operation.definition.schema)(input);
  if (!valid.ok) return valid;
  const shown = Object.keys(input as object).length === 0 ? '' : `\n${cutReceived(toShown(input), MAX_SHOWN)}`;
  const { action } = await caller.elicit(`${question}${shown}`, nothing, { name: 'approval' });
  if (action === 'accept') return { ok: true, value: input };
  const advice = 'Do not call it again unless the user says so.';
  return { ok: false, failure: failure(NotApproved, `The user did not approve this call. ${advice}`) };
}

/** The input as JSON, which has no escape sequences, without secrets. */
function toShown(input: unknown): string {
  return JSON.stringify(input, (name, value: unknown) => (looksSecret(name) ? '***' : value));
}
