import { type AnyEnhancer, innerPartsOf } from '../../capability/enhancer.ts';
import type { Intent } from '../../capability/intent.ts';

/** The header in which callers send a key. */
export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must. */
export type KeyRule = 'optional' | 'required';

/** The rule of an operation for keys; undefined for one that takes none. */
export function findKeyRule({
  intent,
  definition: { enhancers },
}: {
  readonly intent: Intent;
  readonly definition: { readonly enhancers: readonly AnyEnhancer[] };
}): KeyRule | undefined {
  if (intent === 'query') return undefined;
  const found = enhancers.filter((each) => innerPartsOf(each).kind === 'idempotency');
  if (found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}
