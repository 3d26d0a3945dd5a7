import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { ToolOptions } from '../capability/capability-definition.ts';
import type { Intent } from '../capability/intent.ts';
import type { Operation } from '../registry/operation.ts';
import { matchNameRule } from '../routing/infer/match-name-rule.ts';

/** The assumptions that an agent may make of a call: from the intent, unless `.tool({…})` says otherwise. */
export function toToolAnnotations(
  operation: Operation,
  { readOnly, destructive, idempotent, openWorld }: ToolOptions,
): ToolAnnotations {
  const inferred = annotationsOfIntent[operation.intent];
  const addsOnly = matchNameRule(operation.name, operation.declaredIntent)?.id === 'create';
  return {
    readOnlyHint: readOnly ?? inferred.readOnlyHint,
    destructiveHint: destructive ?? (addsOnly ? false : inferred.destructiveHint),
    idempotentHint: idempotent ?? inferred.idempotentHint,
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}

/** A mutation of unknown kind counts as destructive: an agent should ask before it. */
const annotationsOfIntent = {
  query: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  mutation: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Record<Intent, ToolAnnotations>;
