import type { ManifestCapability, ManifestOperation } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

/** Compares timeouts, rate limits and the age of cached answers. */
export function diffLimits(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  return [...diffTimeout(before, after), ...diffRateLimit(before, after), ...diffCache(before, after)];
}

/** Compares timeouts alone. */
export function diffTimeout(
  before: Pick<ManifestOperation, 'timeoutMs'>,
  after: Pick<ManifestOperation, 'timeoutMs'>,
): readonly ContractChange[] {
  if (before.timeoutMs === after.timeoutMs) return [];
  const old = toTimeout(before.timeoutMs);
  const now = toTimeout(after.timeoutMs);
  const isShorter = (after.timeoutMs ?? DEFAULT_TIMEOUT_MS) < (before.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const message = `timeout changed from ${old} to ${now}`;
  return [
    toChange(isShorter ? 'timeout-shorter' : 'timeout-longer', { at: 'timeout', message, before: old, after: now }),
  ];
}

/** The timeout of a server that sets none. */
const DEFAULT_TIMEOUT_MS = 30_000;

function toTimeout(timeoutMs: number | undefined): string {
  return timeoutMs === undefined ? "the server's" : `${timeoutMs} ms`;
}

/** The changes of a rate limit that was there before: its error says that a limit is new. */
function diffRateLimit(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const [old, now] = [findRate(before), findRate(after)];
  if (old === undefined || now === undefined || old.text === now.text) return [];
  // More calls in a longer time may still be fewer at once.
  const isLower = now.perMs < old.perMs || now.limit < old.limit;
  const message = `rate limit changed from ${old.text} to ${now.text}`;
  const rule = isLower ? 'rate-limit-lower' : 'rate-limit-higher';
  return [toChange(rule, { at: 'rate limit', message, before: old.text, after: now.text })];
}

function findRate({ enhancers }: ManifestCapability) {
  const { limit, windowMs } = enhancers.find(({ kind }) => kind === 'limit')?.settings ?? {};
  if (typeof limit !== 'number' || typeof windowMs !== 'number') return undefined;
  return { limit, perMs: limit / windowMs, text: `${limit} in ${windowMs} ms` };
}

function diffCache(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const [old, now] = [findCache(before), findCache(after)];
  if (now <= old) return [];
  const message = old === 0 ? `answers are kept for ${now} ms` : `answers are kept for ${now} ms, it was ${old} ms`;
  return [toChange('cache-longer', { at: 'cache', message, before: `${old} ms`, after: `${now} ms` })];
}

function findCache({ enhancers }: ManifestCapability): number {
  const { ttlMs } = enhancers.find(({ kind }) => kind === 'cache')?.settings ?? {};
  return typeof ttlMs === 'number' ? ttlMs : 0;
}
