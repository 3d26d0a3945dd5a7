import { type PastCall, readCallHistory } from '../files/past-call.ts';
import { readServerStates, type ServerState } from '../files/server-state.ts';
import { readRequests, type WrittenRequest } from '../record/read-requests.ts';
import { ownProcessId } from '../system/own-process-id.ts';
import { toP95 } from '../values/count.ts';

/** The facts that home shows of a project beside its capabilities. */
export interface HomeFacts {
  /** `capix dev` of the project, in this window or in another one: undefined until looked for, null where none runs. */
  readonly server: ServerState | null | undefined;
  /** Those that `capix dev` runs beside it. */
  readonly otherServers: readonly ServerState[];
  /** The last one first. */
  readonly calls: readonly PastCall[];
  /** The last requests of the dev server, summed up; none where there is no such server. */
  readonly activity: ReturnType<typeof toActivity>;
}

type Request = Pick<
  WrittenRequest,
  'method' | 'url' | 'capability' | 'status' | 'durationMs' | 'time'
>;

/** The last request that failed, and the number of those like it. */
export interface RecentError extends Request {
  readonly count: number;
}

/** `key`: of the capability. */
export interface SlowRoute {
  readonly key: string;
  readonly method: string;
  readonly p95Ms: number;
  readonly count: number;
}

/** The number of lines that home has for each. */
const MAX_SHOWN = 5;

export const noHomeFacts: HomeFacts = {
  server: undefined,
  otherServers: [],
  calls: [],
  activity: toActivity([]),
};

/** `root`: absolute path of the project. */
export async function readHomeFacts(root: string): Promise<HomeFacts> {
  const [servers, calls] = await Promise.all([readServerStates(root), readCallHistory(root)]);
  const server = servers.find(({ pid }) => pid === ownProcessId) ?? servers[0] ?? null;
  return {
    server,
    otherServers: servers.filter((each) => each !== server),
    calls,
    activity: toActivity(server === null ? [] : await readRequests(root, server.pid)),
  };
}

/** Sums up requests, the oldest first; what it finds begins with the newest, and the slowest. */
export function toActivity(requests: readonly Request[]) {
  return {
    requestCount: requests.length,
    errors: toErrors(requests),
    slowest: toSlowest(requests),
  };
}

function toErrors(requests: readonly Request[]): readonly RecentError[] {
  const errors = new Map<string, RecentError>();
  for (const request of requests) {
    const { status, method, url } = request;
    if (status !== 0 && status < 400) continue;
    const id = `${status} ${method} ${url}`;
    const count = (errors.get(id)?.count ?? 0) + 1;
    // The last one gives the place among the others.
    errors.delete(id);
    errors.set(id, { ...request, count });
  }
  return [...errors.values()].toReversed().slice(0, MAX_SHOWN);
}

function toSlowest(requests: readonly Request[]): readonly SlowRoute[] {
  const keys = new Set(requests.flatMap(({ capability }) => capability ?? []));
  return [...keys]
    .map((key) => {
      const own = requests.filter(({ capability }) => capability === key);
      const sorted = own.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
      const p95Ms = toP95(sorted);
      return { key, method: own[0]?.method ?? '', p95Ms, count: own.length };
    })
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, MAX_SHOWN);
}
