import { innerPartsOf } from '../../capability/enhancer.ts';
import type { Operation } from '../../registry/operation.ts';

/** The headers of answers that a page of another origin may read where nobody says which: those that the operations are known to send. */
export function toExposedHeaders(operations: readonly Operation[], isTagged: boolean): readonly string[] {
  const names = new Map<string, string>();
  const add = (...all: readonly string[]): void => all.forEach((name) => names.set(name.toLowerCase(), name));
  if (isTagged) add('ETag');
  for (const { definition } of operations) {
    for (const { kind, headers } of definition.answers)
      add(...(kind === 'redirect' ? ['Location'] : []), ...Object.keys(headers));
    for (const enhancer of definition.enhancers) {
      const { kind, headers = {} } = innerPartsOf(enhancer);
      add(...Object.keys(headers));
      if (kind === 'idempotency') add('Idempotency-Replayed');
    }
    const errors = [...definition.errors, ...definition.enhancers.flatMap((each) => each.errors)];
    if (errors.some(({ status }) => status === 429 || status === 503)) add('Retry-After');
  }
  return [...names.values()];
}
