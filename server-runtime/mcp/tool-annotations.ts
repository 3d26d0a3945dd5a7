import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { ToolOptions } from '../capability/capability-definition.ts';
import type { Intent } from '../capability/intent.ts';
import type { Operation } from '../registry/operation.ts';
import { matchNameRule } from '../routing/infer/match-name-rule.ts';

/**
 * The assumptions that an agent may make of a call: from the intent, unless `.tool({…})` says otherwise. What the protocol assumes anyway is left
 * out: that a call may destroy and must not be repeated means nothing where it only reads, and is so where nothing is said.
 */
export function toToolAnnotations(
  operation: Operation,
  { readOnly, destructive, idempotent, openWorld }: ToolOptions,
): ToolAnnotations {
  const inferred = annotationsOfIntent[operation.intent];
  const world = openWorld === undefined ? {} : { openWorldHint: openWorld };
  if (readOnly ?? inferred.readOnlyHint) return { readOnlyHint: true, ...world };
  const isIdempotent = idempotent ?? inferred.idempotentHint;
  return {
    destructiveHint: mayDestroy(operation, destructive),
    ...(isIdempotent ? { idempotentHint: true } : {}),
    ...world,
  };
}

/** Whether a call changes nothing. */
export function isReadOnly({ intent, definition: { tool } }: Operation): boolean {
  return (tool === false ? undefined : tool?.readOnly) ?? annotationsOfIntent[intent].readOnlyHint;
}

/** Whether a call may destroy something. */
export function isDestructive(operation: Operation): boolean {
  const { tool } = operation.definition;
  return !isReadOnly(operation) && mayDestroy(operation, tool === false ? undefined : tool?.destructive);
}

/** Whether a call that changes something may destroy something; one that only adds does not. */
function mayDestroy({ name, intent, declaredIntent }: Operation, stated: boolean | undefined): boolean {
  const addsOnly = matchNameRule(name, declaredIntent)?.id === 'create';
  return stated ?? (addsOnly ? false : annotationsOfIntent[intent].destructiveHint);
}

/** A mutation of unknown kind counts as destructive: an agent should ask before it. */
const annotationsOfIntent = {
  query: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  mutation: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Record<Intent, ToolAnnotations>;
