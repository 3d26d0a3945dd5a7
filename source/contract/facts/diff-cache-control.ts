import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

interface Cached {
  readonly cacheControl?: string | undefined;
}

/** Compares how long caches may keep answers: all of a server's, or those of one capability. */
export function diffCacheControl(
  { cacheControl: before = 'none' }: Cached,
  { cacheControl: after = 'none' }: Cached,
  at: string,
): readonly ContractChange[] {
  if (before === after) return [];
  const message = `\`Cache-Control\` is ${after}, it was ${before}`;
  return [toChange('cache-control-changed', { at, message, before, after })];
}
