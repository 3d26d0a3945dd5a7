import type { RequestRecord } from '../../record/request-record.ts';

/** The figures of the requests of a route. */
export interface RouteSummary {
  readonly count: number;
  /** Share of the answers with a status from 400 on, and of the clients that left; 0 to 1. */
  readonly errorRate: number;
  /** Milliseconds, over the last 500 requests; undefined without any. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly lastStatus: number | undefined;
}

const KEPT = 500;

/** Counts the requests of a route. Adding one is cheap; the summary sorts. */
export class RouteStats {
  readonly #durationsMs = new Float64Array(KEPT);
  #count = 0;
  #errorCount = 0;
  #lastStatus: number | undefined;
  #summary: RouteSummary | undefined;

  add({ status, durationMs }: Pick<RequestRecord, 'status' | 'durationMs'>): void {
    this.#durationsMs[this.#count % KEPT] = durationMs;
    this.#count += 1;
    if (status === 0 || status >= 400) this.#errorCount += 1;
    this.#lastStatus = status;
    this.#summary = undefined;
  }

  /** The times of the last requests, at most `count` of them, the oldest first; milliseconds. */
  latestMs(count: number): readonly number[] {
    const length = Math.min(count, this.#count, KEPT);
    return Array.from({ length }, (_, index) => this.#durationsMs[(this.#count - length + index) % KEPT] ?? 0);
  }

  summary(): RouteSummary {
    return (this.#summary ??= this.#summarize());
  }

  #summarize(): RouteSummary {
    const sorted = this.#durationsMs.slice(0, Math.min(this.#count, KEPT)).sort();
    const percentile = (share: number): number | undefined => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return {
      count: this.#count,
      errorRate: this.#count === 0 ? 0 : this.#errorCount / this.#count,
      p50Ms: percentile(0.5),
      p95Ms: percentile(0.95),
      p99Ms: percentile(0.99),
      lastStatus: this.#lastStatus,
    };
  }
}
