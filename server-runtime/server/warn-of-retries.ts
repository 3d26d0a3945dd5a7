import { innerPartsOf } from '../capability/enhancer.ts';
import type { Application } from './application.ts';

/** Says which capabilities repeat a change and do not know callers who repeat it too, whose attempts would multiply. */
export function warnOfRetries(applications: readonly Application[]): void {
  const operations = new Set(applications.flatMap(({ registry }) => registry.operations));
  const keys = [...operations].flatMap(({ key, intent, definition }) => {
    const kinds = definition.enhancers.map((enhancer) => innerPartsOf(enhancer).kind);
    return intent !== 'query' && kinds.includes('retry') && !kinds.includes('idempotency') ? [key] : [];
  });
  if (keys.length === 0) return;
  applications[0]?.logger.warn(
    `[capix] withRetry repeats a change in ${[...new Set(keys)].join(', ')}. Put withIdempotency() around it, so that callers who ask again do not repeat it once more.`,
  );
}
