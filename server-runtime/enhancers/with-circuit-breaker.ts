import { type Answer, defineEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { isPromise, type MaybePromise } from '../errors/failure.ts';
import { findSignal } from './enhancer-state.ts';

/** Processes that opened at once try at different times. */
const JITTER = 0.1;

/** When `withCircuitBreaker` gives up on a handler, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. Errors that do not count begin the row anew. @default 5 */
  readonly failures?: number | undefined;
  /** The longest time that calls are refused before one tries, milliseconds; at random down to 9/10. @default 30000 */
  readonly openMs?: number | undefined;
  /** Which errors count as failures. @default unforeseen errors, those with a 5xx status, and timeouts */
  readonly when?: ((error: unknown) => boolean) | undefined;
}

/**
 * Stops calling a handler that keeps failing, so that what it depends on can recover: callers get 503
 * `ServiceUnavailable` with `meta.retryAfterSeconds` at once. After `openMs`, or later where the last error asked for
 * more by `meta.retryAfterSeconds`, one call tries; if it succeeds the circuit closes, if nothing is heard of it for
 * `openMs` another one tries. A call whose caller leaves proves nothing. The state is in the memory of this process,
 * for each capability on its own.
 *
 * @throws RangeError for a bad number
 *
 * @example
 * ```ts
 * export const getRates = capability(() => fetch('https://example.org/rates'))
 *   .enhance(withCircuitBreaker({ failures: 5, openMs: 30_000 }));
 * ```
 */
export function withCircuitBreaker({
  failures = 5,
  openMs = 30_000,
  when = isFault,
}: CircuitBreakerOptions = {}): Enhancer<unknown, unknown, unknown, typeof defaultErrors.ServiceUnavailable> {
  expectInteger('withCircuitBreaker failures', failures, { min: 1 });
  expectInteger('withCircuitBreaker openMs', openMs, { min: 1 });
  const counts = toSafe(when);
  return defineEnhancer((next) => broken(next, new Circuit({ failures, openMs, jitter: JITTER }), counts), {
    name: 'withCircuitBreaker',
    settings: { failures, openMs },
    errors: [defaultErrors.ServiceUnavailable],
  });
}

type Counts = (error: unknown) => boolean;

/** A call that cannot be judged counts. A fault of `when` would come up where nobody catches it. */
function toSafe(when: Counts): Counts {
  return (error) => {
    try {
      return when(error);
    } catch {
      return true;
    }
  };
}

function broken(next: Next, circuit: Circuit, counts: Counts): Next {
  return (input, ctx) => {
    const passage = circuit.enter(performance.now());
    if (typeof passage === 'number') throw circuitOpen(passage);
    const report = (result: CircuitReport, askedMs = 0): void =>
      circuit.report(passage, result, { now: performance.now(), askedMs });
    const reportThrown = (error: unknown): void =>
      report(toResult(error, findSignal(ctx), counts), findRetryAfterMs(error));
    let value: MaybePromise<Answer>;
    try {
      value = next(input, ctx);
    } catch (error) {
      reportThrown(error);
      throw error;
    }
    if (isPromise(value)) return watched(value, findSignal(ctx), { report, reportThrown });
    report('success');
    return value;
  };
}

interface Reports {
  readonly report: (result: CircuitReport) => void;
  readonly reportThrown: (error: unknown) => void;
}

/** The first end is reported: the handler's own end, or its timeout, because a dependency that hangs is broken too. */
async function watched(value: PromiseLike<Answer>, signal: AbortSignal | undefined, reports: Reports): Promise<Answer> {
  let isReported = false;
  const onAbort = (): void => {
    if (!isTimeout(signal?.reason)) return;
    isReported = true;
    reports.reportThrown(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await value;
    if (!isReported) reports.report('success');
    return result;
  } catch (error) {
    if (!isReported) reports.reportThrown(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function toResult(error: unknown, signal: AbortSignal | undefined, counts: Counts): CircuitReport {
  if (signal?.aborted === true && !isTimeout(signal.reason)) return 'unknown';
  return counts(error) ? 'failure' : 'success';
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function circuitOpen(leftMs: number): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  return defaultErrors.ServiceUnavailable(`Unavailable after repeated failures; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

/** The end of a call that was let through. `unknown` proves nothing: its caller left. */
type CircuitReport = 'success' | 'failure' | 'unknown';

interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** The time that it stays open before a call tries, and that a trial has before another one tries, milliseconds. */
  readonly openMs: number;
  /** The share of `openMs` by which it may be open for less, so that processes try apart. @default 0 */
  readonly jitter?: number | undefined;
}

/** A call that was let through. */
interface Passage {
  /** Milliseconds of `performance.now()`. */
  readonly since: number;
}

/**
 * Lets calls through while they succeed (closed), none after too many failures in a row (open), and after a while one
 * that tries (half open): its success closes the circuit, its failure opens it anew, and if nothing is heard of it the
 * next call tries.
 */
class Circuit {
  readonly #options: CircuitOptions;
  #failuresInRow = 0;
  /** Since when it is not closed. */
  #openedAt: number | undefined;
  #trial: Passage | undefined;
  /** The time that it stays open this time, milliseconds. */
  #openForMs = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Lets a call through, whose result must be reported; or gives how long to wait, milliseconds. */
  enter(now: number): Passage | number {
    if (this.#openedAt === undefined) return CLOSED;
    const waitedMs = now - (this.#trial?.since ?? this.#openedAt);
    const mostMs = this.#trial === undefined ? this.#openForMs : this.#options.openMs;
    // A trial may end at any moment.
    if (waitedMs < mostMs) return this.#trial === undefined ? mostMs - waitedMs : 0;
    this.#trial = { since: now };
    return this.#trial;
  }

  /** @param end `askedMs` is the time that a failure asks to be left alone, milliseconds */
  report(passage: Passage, result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (passage === CLOSED) this.#count(result, end);
    else if (this.#trial !== undefined) this.#endTrial(passage, result, end);
  }

  #open({ now, askedMs = 0 }: { readonly now: number; readonly askedMs?: number }): void {
    const { openMs, jitter = 0 } = this.#options;
    this.#openedAt = now;
    this.#openForMs = Math.max(askedMs, openMs * (1 - jitter * Math.random()));
  }

  #count(result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (this.#openedAt !== undefined || result === 'unknown') return;
    if (result === 'success') this.#failuresInRow = 0;
    else if (++this.#failuresInRow >= this.#options.failures) this.#open(end);
  }

  /** A trial that another one followed may still close the circuit: what was slow is well. It opens nothing. */
  #endTrial(passage: Passage, result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (result === 'success') {
      this.#openedAt = undefined;
      this.#failuresInRow = 0;
    } else if (passage !== this.#trial) return;
    else if (result === 'failure') this.#open(end);
    this.#trial = undefined;
  }
}

const CLOSED: Passage = { since: 0 };

/** The time that an error asks to wait, milliseconds, by its `meta.retryAfterSeconds`; 0 without it. */
function findRetryAfterMs(error: unknown): number {
  const seconds = isFrameworkError(error) ? error.meta?.['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}

/** Whether an error says that something is broken, not that the caller is wrong: unforeseen, or 5xx. */
function isFault(error: unknown): boolean {
  return !isFrameworkError(error) || error.status >= 500;
}
