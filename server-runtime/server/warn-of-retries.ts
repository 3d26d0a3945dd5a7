import type { Application } from './application.ts';

/** Says which capabilities repeat a change and do not know callers who repeat it too, whose attempts would multiply. */
export function warnOfRetries(applications: readonly Application[]): void {
  const operations = new Set(applications.flatMap(({ registry }) => registry.operations));
  const keys = [...operations].flatMap(({ key, intent, definition }) => {
    const names = new Set(definition.enhancers.map(({ name }) => name));
    return intent !== 'query' && names.has('withRetry') && !names.has('withIdempotency') ? [key] : [];
  });
  if (keys.length === 0) return;
  applications[0]?.logger.warn(
    `[capix] withRetry repeats a change in ${[...new Set(keys)].join(', ')}. Put withIdempotency() around it, so that callers who ask again do not repeat it once more.`,
  );
}
