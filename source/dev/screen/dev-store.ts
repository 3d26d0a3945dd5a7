import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import type { ClosedRecord, RequestRecord } from '../../record/request-record.ts';
import type { JobOverview } from '../../serve/job-watch.ts';
import { toP95 } from '../../values/count.ts';
import { Store } from '../../values/store.ts';
import { type DevState, startState, toNextState } from '../dev-state.ts';
import { type DevEvent, type SavedFailure, toNoticeLines } from '../session/dev-event.ts';
import { SaveEffects } from '../session/save-effects.ts';
import { LogBuffer } from './log-lines.ts';

/** The number of durations that the store holds, of the last requests. */
const KEPT = 500;

/** The figures of the requests of a route. Adding one is cheap; `p95Ms` sorts. */
export class RouteStats {
  readonly #durationsMs = new Float64Array(KEPT);
  #p95Ms: number | undefined;
  count = 0;
  /** Answers with a status from 400 on, and clients that left. */
  errorCount = 0;
  lastStatus: number | undefined;

  add({ status, durationMs }: Pick<RequestRecord, 'status' | 'durationMs'>): void {
    this.#durationsMs[this.count % KEPT] = durationMs;
    this.count += 1;
    if (status === 0 || status >= 400) this.errorCount += 1;
    this.lastStatus = status;
    this.#p95Ms = undefined;
  }

  /** The time within which most of the last requests were answered; 0 without any. */
  p95Ms(): number {
    if (this.#p95Ms !== undefined) return this.#p95Ms;
    const sorted = this.#durationsMs.slice(0, Math.min(this.count, KEPT)).sort();
    this.#p95Ms = toP95(sorted);
    return this.#p95Ms;
  }
}

/** A route with what happened on it. */
export interface RouteEntry {
  readonly id: string;
  readonly route: ServedRoute;
  /** The mark of the last reload. */
  readonly mark: 'new' | 'changed' | 'removed' | undefined;
  readonly stats: RouteStats;
}

export interface RequestEntry extends RoutedRequest {
  /** Unique among all processes. */
  readonly key: string;
  /** The request that it repeats, where it was sent from this screen. */
  readonly before?: RequestEntry | undefined;
}

const MAX_REQUESTS = 1_000;
/** The characters of what requests carried and what became of it: the oldest lose their details first. */
const MAX_DETAIL_CHARACTERS = 33_554_432;
/** The screen is drawn at most this often for what the server does, milliseconds. A key is drawn at once. */
const DRAW_EVERY_MS = 200;

/**
 * The knowledge of the dev screen, gathered from the events. It is not React state, because a server may write 20,000
 * lines a second: events only add to it, and the components that draw hear now and then that there is something new.
 */
export class DevStore extends Store {
  readonly logs = new LogBuffer();
  state: DevState = startState;
  /** In the order of the server. Removed routes are last. */
  routes: readonly RouteEntry[] = [];
  /** The newest thousand, in the order they ended. */
  requests: readonly RequestEntry[] = [];
  requestTotal = 0;
  jobs: JobOverview = { queues: [], failed: [] };
  readonly effects = new SaveEffects();
  /** The saved calls that are not as expected any more. */
  savedFailures: readonly SavedFailure[] = [];
  #isTelling = false;
  #drawnAt = 0;
  readonly #sizeOf = new WeakMap<RequestEntry, number>();

  get hasJobs(): boolean {
    return this.routes.some(({ route, mark }) => route.method === 'JOB' && mark !== 'removed');
  }

  get jobTotal(): number {
    const { queues } = this.jobs;
    return queues.reduce(
      (sum, { waiting, delayed, active, failed }) => sum + waiting + delayed + active + failed,
      0,
    );
  }

  readonly take = (event: DevEvent): void => {
    this.state = toNextState(this.state, event, Date.now());
    if (event.kind === 'output') this.logs.add(event.stream, event.lines, Date.now());
    else if (event.kind === 'requests') this.#addRequests(event.requests);
    else if (event.kind === 'jobs') this.jobs = event.overview;
    else if (event.kind === 'notice') {
      if (event.notice.code === 'SavedCalls') this.savedFailures = event.notice.failing;
      const lines = toNoticeLines(event.notice).map((line) => `[capix] ${line}`);
      this.logs.add('stderr', lines, Date.now());
    } else if (event.kind === 'ready') this.routes = toRouteEntries(this.routes, event.routes);
    this.effects.take(event, Date.now());
    this.#tell();
  };

  clearLogs(): void {
    this.logs.clear();
    this.#tell();
  }

  #addRequests(requests: readonly RoutedRequest[]): void {
    // The end of a connection is not a request: its record is there already.
    const ends = new Map(requests.flatMap(({ id, closed }) => (closed ? [[id, closed]] : [])));
    this.#addBegun(requests.filter(({ closed }) => closed === undefined));
    if (ends.size > 0) this.requests = this.requests.map((entry) => this.#end(entry, ends));
  }

  #end(entry: RequestEntry, ends: ReadonlyMap<string, ClosedRecord>): RequestEntry {
    const closed = ends.get(entry.key);
    if (closed === undefined) return entry;
    const ended = { ...entry, closed };
    this.#sizeOf.set(ended, this.#sizeOf.get(entry) ?? 0);
    return ended;
  }

  #addBegun(requests: readonly RoutedRequest[]): void {
    // The removed routes are last, so that a capability that has moved counts where it is now.
    const byKey = new Map(this.routes.toReversed().map((entry) => [entry.route.key, entry.stats]));
    for (const request of requests) byKey.get(request.capability ?? '')?.add(request);
    this.requestTotal += requests.length;
    const entries = requests.slice(-MAX_REQUESTS).map((request) => {
      const entry = { ...request, key: request.id };
      const { details, fields } = request;
      this.#sizeOf.set(entry, JSON.stringify([details, fields]).length);
      return entry;
    });
    this.requests = this.#withinBounds([...this.requests, ...entries]);
  }

  /** The newest requests, and the details of as many of them as there is room for. */
  #withinBounds(requests: readonly RequestEntry[]): readonly RequestEntry[] {
    let left = MAX_DETAIL_CHARACTERS;
    const bounded = requests
      .slice(-MAX_REQUESTS)
      .toReversed()
      .map((entry) => {
        left -= this.#sizeOf.get(entry) ?? 0;
        if (left >= 0 || (entry.details ?? entry.fields) === undefined) return entry;
        return { ...entry, details: undefined, fields: undefined };
      });
    return bounded.toReversed();
  }

  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const waitMs = Math.max(0, this.#drawnAt + DRAW_EVERY_MS - performance.now());
    setTimeout(() => {
      this.#isTelling = false;
      this.#drawnAt = performance.now();
      this.changed();
    }, waitMs);
  }
}

/** The routes after a reload. What was counted stays; a removed route is shown until the next reload. */
function toRouteEntries(
  before: readonly RouteEntry[],
  routes: readonly ServedRoute[],
): readonly RouteEntry[] {
  const known = new Map(
    before.filter(({ mark }) => mark !== 'removed').map((entry) => [entry.id, entry]),
  );
  const isFirst = before.length === 0;
  // Two transports may serve the same.
  const served = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const entries = [...served].map(([id, route]): RouteEntry => {
    const old = known.get(id);
    known.delete(id);
    if (old === undefined)
      return { id, route, mark: isFirst ? undefined : 'new', stats: new RouteStats() };
    return {
      id,
      route,
      mark: old.route.key === route.key ? undefined : 'changed',
      stats: old.stats,
    };
  });
  return [
    ...entries,
    ...[...known.values()].map((entry): RouteEntry => ({ ...entry, mark: 'removed' })),
  ];
}
