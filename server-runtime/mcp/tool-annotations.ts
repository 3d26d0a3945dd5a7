import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Intent, ToolOptions } from '../capability/definition.ts';
import type { Operation } from '../registry/operation.ts';
import { findFurtherVerb, matchNameRule } from '../routing/name-rules.ts';

/**
 * The assumptions that an agent may make of a call: from the intent, unless `.tool({…})` says otherwise. What the
 * protocol assumes anyway is left out: that a call may destroy and must not be repeated means nothing where it only
 * reads, and is so where nothing is said.
 */
export function toToolAnnotations(
  operation: Operation,
  { readOnly, destructive, idempotent, openWorld }: ToolOptions,
): ToolAnnotations {
  const inferred = inferAnnotations(operation);
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
export function isReadOnly(operation: Operation): boolean {
  const { tool } = operation.definition;
  return (tool === false ? undefined : tool?.readOnly) ?? inferAnnotations(operation).readOnlyHint;
}

/** Whether a call that changes something may destroy something; one that only adds does not. */
function mayDestroy(operation: Operation, stated: boolean | undefined): boolean {
  const { name, declaredIntent } = operation;
  const addsOnly = matchNameRule(name, declaredIntent)?.id === 'create' && findFurtherVerb(name) === undefined;
  return stated ?? (addsOnly ? false : inferAnnotations(operation).destructiveHint);
}

/** A name with a further verb (`findAndDelete`) says nothing certain: agents should ask before it. */
function inferAnnotations({ name, intent }: Operation) {
  return annotationsOfIntent[findFurtherVerb(name) === undefined ? intent : 'mutation'];
}

/** A mutation of unknown kind counts as destructive: an agent should ask before it. */
const annotationsOfIntent = {
  query: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  mutation: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Record<Intent, ToolAnnotations>;
