import { createHash } from 'node:crypto';
import { findFileRules } from '../../server-runtime/schema/find-file-rules.ts';
import { definitionOf, type Schema } from '../../server-runtime/schema/schema.ts';

type CheckDefinition = { readonly check?: string; readonly fn?: unknown };

interface Check {
  readonly _zod: { readonly def: CheckDefinition; readonly check?: unknown };
}

/**
 * A mark for each check of a schema that is code, of which JSON Schema has no word (`.refine(…)`, `.check(…)`, `z.custom(…)`), in the order in which
 * they run: two functions of the same text have the same. Of `.superRefine(…)` zod gives none away but its own, so that all of them are alike.
 */
export function toCheckMarks(schema: Schema): readonly string[] {
  const {
    type,
    fn,
    checks = [],
  } = definitionOf(schema) as CheckDefinition & {
    readonly type: string;
    readonly checks?: readonly Check[];
  };
  const own = type === 'custom' && typeof fn === 'function' && findFileRules(schema) === undefined ? [fn] : [];
  const added = checks.filter(({ _zod }) => _zod.def.check === 'custom').map(({ _zod }) => _zod.def.fn ?? _zod.check);
  return [...own, ...added].map(toMark);
}

/** Bundlers give names that are taken a number, and set spaces of their own. */
function toMark(check: unknown): string {
  const text = String(check)
    .replaceAll(/([A-Za-z_$])\d+\b/g, '$1')
    .replaceAll(/\s+/g, '');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
