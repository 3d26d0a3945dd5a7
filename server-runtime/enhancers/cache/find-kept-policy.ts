import type { CapabilityDefinition } from '../../capability/capability-definition.ts';
import type { SecurityScheme } from '../../capability/guard.ts';

/** The `Cache-Control` and `Vary` of answers that `withCache` keeps, for the caches of browsers and proxies. */
export interface KeptPolicy {
  readonly cacheControl: string;
  /** The names of the request's headers by which answers differ. */
  readonly vary: readonly string[];
}

/**
 * The policy of a capability with `withCache`; undefined for one without. Proxies may keep what is the same for everybody. What differs by
 * caller is `private`, and may be used without asking only where the headers that tell callers apart are known. What tags may put out of date
 * is asked for each time.
 */
export function findKeptPolicy({
  guards,
  inputGuards,
  enhancers,
  request,
}: CapabilityDefinition): KeptPolicy | undefined {
  const at = enhancers.findIndex(({ name }) => name === 'withCache');
  const { ttlMs = 0, staleMs = 0, ...rules } = enhancers[at]?.settings ?? {};
  if (typeof ttlMs !== 'number' || typeof staleMs !== 'number' || ttlMs === 0) return undefined;
  const isForAll =
    guards.length + inputGuards.length === 0 &&
    rules['private'] === undefined &&
    enhancers.slice(0, at).every(({ name }) => handsOn.has(name));
  const credentials = guards.flatMap(({ security, alternatives }) =>
    security === undefined ? [] : [security, ...alternatives].flatMap(toHeaderNames),
  );
  const sent = request.sent.map(({ in: place, name }) => (place === 'header' ? name : 'Cookie'));
  const mayBeOld = rules['tagged'] === undefined && ttlMs >= 1000 && (isForAll || credentials.length > 0);
  const times = mayBeOld ? toTimes(ttlMs, staleMs) : ['no-cache'];
  return {
    cacheControl: [...(isForAll ? [] : ['private']), ...times].join(', '),
    vary: [...new Map([...credentials, ...sent].map((name) => [name.toLowerCase(), name])).values()],
  };
}

/** The enhancers that leave an answer as it is; any other one may make of it what it likes, for each caller. */
const handsOn: ReadonlySet<string> = new Set([
  'withTimeout',
  'withRateLimit',
  'withRetry',
  'withConcurrency',
  'withCircuitBreaker',
  'withIdempotency',
  'withCache',
  'invalidates',
]);

function toTimes(ttlMs: number, staleMs: number): readonly string[] {
  const stale = Math.floor(staleMs / 1000);
  return [`max-age=${Math.floor(ttlMs / 1000)}`, ...(stale === 0 ? [] : [`stale-while-revalidate=${stale}`])];
}

/** The header that carries a credential; none for one in the URL. */
function toHeaderNames(security: SecurityScheme): readonly string[] {
  if (security.type !== 'apiKey') return ['Authorization'];
  return security.in === 'header' ? [security.name] : security.in === 'cookie' ? ['Cookie'] : [];
}
