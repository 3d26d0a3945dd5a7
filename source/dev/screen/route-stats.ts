import type { RequestRecord } from '../../record/request-record.ts';

/** The times that are kept, of the last requests. */
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

  /** Of the last requests; 0 without any. */
  p95Ms(): number {
    if (this.#p95Ms !== undefined) return this.#p95Ms;
    const sorted = this.#durationsMs.slice(0, Math.min(this.count, KEPT)).sort();
    return (this.#p95Ms = sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0);
  }
}
