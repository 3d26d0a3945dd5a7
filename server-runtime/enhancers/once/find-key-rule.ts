import { type AnyEnhancer, type EnhancerKind, innerPartsOf } from '../../capability/enhancer.ts';
import type { Intent } from '../../capability/intent.ts';

/** The header in which callers send a key. */
export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must. */
export type KeyRule = 'optional' | 'required';

/** An enhancer by its mark. */
interface Marked {
  readonly kind?: EnhancerKind | undefined;
  readonly settings: AnyEnhancer['settings'];
}

/** The rule of an operation for keys; undefined for one that takes none. */
export function findKeyRule({
  intent,
  definition,
}: {
  readonly intent: Intent;
  readonly definition: { readonly enhancers: readonly AnyEnhancer[] };
}): KeyRule | undefined {
  const { enhancers } = definition;
  return findMarkedKeyRule({
    intent,
    enhancers: enhancers.map((each) => ({ settings: each.settings, kind: innerPartsOf(each).kind })),
  });
}

/** The same of enhancers whose marks are told, as those of a manifest. */
export function findMarkedKeyRule({
  intent,
  enhancers,
}: {
  readonly intent: Intent;
  readonly enhancers: readonly Marked[];
}): KeyRule | undefined {
  if (intent === 'query') return undefined;
  const found = enhancers.filter(({ kind }) => kind === 'idempotency');
  if (found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}
