import { hasWords } from '../../../kit/rows/row.ts';
import { toShownUrl } from '../../../record/replace-url-secrets.ts';
import type { RequestEntry } from '../../dev-store.ts';

export interface RequestQuery {
  /** Words of method, path, status and capability. */
  readonly query: string;
  /** Key of a capability. */
  readonly routeKey: string | undefined;
}

/** The requests that fit, newest first. */
export function toListedRequests(
  requests: readonly RequestEntry[],
  { query, routeKey }: RequestQuery,
): readonly RequestEntry[] {
  const ofRoute = requests.filter((request) => routeKey === undefined || request.capability === routeKey);
  return ofRoute.filter((request) => hasWords(toRequestText(request), query)).toReversed();
}

function toRequestText(request: RequestEntry): string {
  const { method, status, capability = '' } = request;
  return `${method} ${toShownUrl(request)} ${status} ${capability}`;
}
