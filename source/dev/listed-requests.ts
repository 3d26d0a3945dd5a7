import type { RequestEntry } from './dev-store.ts';
import { toShownUrl } from './url-secrets.ts';

export interface RequestQuery {
  /** Words that all must occur in method, path, status or capability; case does not matter. */
  readonly query: string;
  /** Key of a capability. */
  readonly routeKey: string | undefined;
}

/** The requests that fit, newest first. */
export function toListedRequests(
  requests: readonly RequestEntry[],
  { query, routeKey }: RequestQuery,
): readonly RequestEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return requests
    .filter((request) => routeKey === undefined || request.capability === routeKey)
    .filter((request) => {
      const { method, status, capability = '' } = request;
      const text = `${method} ${toShownUrl(request)} ${status} ${capability}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}
