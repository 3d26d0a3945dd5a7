/** A request that failed, and those like it. */
export interface RecentError {
  readonly method: string;
  readonly url: string;
  readonly capability: string | undefined;
  /** 0 where the caller has left. */
  readonly status: number;
  /** Milliseconds since 1970, of the last one. */
  readonly at: number;
  readonly count: number;
}

export interface SlowRoute {
  /** Key of the capability. */
  readonly key: string;
  readonly method: string;
  readonly p95Ms: number;
  readonly count: number;
}

/** The last requests of a dev server, summed up. */
export interface Activity {
  readonly requestCount: number;
  /** The newest first. */
  readonly errors: readonly RecentError[];
  /** The slowest first. */
  readonly slowest: readonly SlowRoute[];
}

/** The number of lines that home has for each. */
const MAX_SHOWN = 5;

interface Request {
  readonly method: string;
  readonly url: string;
  readonly capability: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly at: number;
}

/** Reads the journal of a dev server, the oldest first: the requests of what `capix dev --json` writes. */
export function toActivity(events: readonly Readonly<Record<string, unknown>>[]): Activity {
  const requests = events.flatMap(toRequest);
  return { requestCount: requests.length, errors: toErrors(requests), slowest: toSlowest(requests) };
}

function toRequest({
  event,
  time,
  method,
  url,
  capability,
  status,
  durationMs,
}: Readonly<Record<string, unknown>>): readonly Request[] {
  if (event !== 'request' || typeof method !== 'string' || typeof url !== 'string') return [];
  if (typeof status !== 'number' || typeof durationMs !== 'number') return [];
  const key = typeof capability === 'string' ? capability : undefined;
  return [{ method, url, capability: key, status, durationMs, at: Date.parse(String(time)) }];
}

function toErrors(requests: readonly Request[]): readonly RecentError[] {
  const errors = new Map<string, RecentError>();
  for (const { method, url, capability, status, at } of requests) {
    if (status !== 0 && status < 400) continue;
    const id = `${status} ${method} ${url}`;
    const count = (errors.get(id)?.count ?? 0) + 1;
    // The last one gives the place among the others.
    errors.delete(id);
    errors.set(id, { method, url, capability, status, at, count });
  }
  return [...errors.values()].toReversed().slice(0, MAX_SHOWN);
}

function toSlowest(requests: readonly Request[]): readonly SlowRoute[] {
  const routes = new Map<string, { readonly method: string; readonly durationsMs: number[] }>();
  for (const { capability, method, durationMs } of requests) {
    if (capability === undefined) continue;
    const route = routes.get(capability) ?? { method, durationsMs: [] };
    route.durationsMs.push(durationMs);
    routes.set(capability, route);
  }
  return [...routes]
    .map(([key, { method, durationsMs }]) => {
      const sorted = durationsMs.toSorted((a, b) => a - b);
      const p95Ms = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
      return { key, method, p95Ms, count: durationsMs.length };
    })
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, MAX_SHOWN);
}
