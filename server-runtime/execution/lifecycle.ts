import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultErrors } from '../errors/define-error.ts';
import { MAX_TIMEOUT_MS } from '../errors/expect-options.ts';
import { readThrown } from '../errors/failure.ts';

/** What a plugin starts with. */
export interface PluginStart {
  /** Fires when its time is over: what it opens from then on is closed by `stop`, as soon as `start` has ended. */
  readonly signal: AbortSignal;
}

/** A part of a server that opens something: a plugin. */
interface LivingPart {
  readonly name: string;
  readonly start?: ((starting: PluginStart) => unknown) | undefined;
  readonly stop?: ((stopping: { readonly graceMs: number }) => unknown) | undefined;
  /** @default 30000 */
  readonly startTimeoutMs?: number | undefined;
}

interface FaultLog {
  error(message: string, details?: { readonly error: unknown }): void;
}

/** Each part has this time to stop at least, where calls have used up the grace of the server, milliseconds. */
const LEAST_STOP_MS = 1000;

/** A call by a part that starts waits so long for the end of that start, milliseconds: it may not wait for the call. */
const OWN_START_MS = 1000;

/** The start of a part, as code that runs within it finds it. */
interface Start {
  readonly part: LivingPart;
  /** Fulfils when it has ended, however. */
  readonly ended: Promise<unknown>;
}

/** Starts the plugins of one server before its first call, and stops them after its last one: each once. */
export class Lifecycle {
  /** Whether calls may run. */
  isReady: boolean;
  readonly #parts: readonly LivingPart[];
  readonly #log: FaultLog;
  /** Those to stop, in the order of their start. */
  #started: LivingPart[] = [];
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isStopped = false;
  #patience = new Patience();
  readonly #within = new AsyncLocalStorage<Start>();

  constructor(parts: readonly LivingPart[], log: FaultLog) {
    this.#parts = parts.filter(({ start, stop }) => start !== undefined || stop !== undefined);
    this.#log = log;
    this.isReady = this.#parts.length === 0;
  }

  /** Starts all, one after the other. Rejects, with those that have started stopped again, where one does not start. */
  start(): Promise<void> {
    if (this.isReady) return Promise.resolve();
    this.#starting ??= this.#startAll().finally(() => {
      this.#starting = undefined;
      // On Node 20 it costs each promise of the process something.
      this.#within.disable();
    });
    return this.#starting;
  }

  /**
   * The same for a call before `server.start()`, as where another server has the port. Rejects with 503 where a part
   * does not start, for which the log has the reason, and once they have been stopped. The next call tries again.
   */
  async startForCall(): Promise<void> {
    if (this.isReady) return;
    if (this.#isStopped) throw defaultErrors.ServiceUnavailable();
    const isFirst = this.#starting === undefined;
    await this.#expectEndOfStart();
    try {
      await this.start();
    } catch (cause) {
      if (isFirst) this.#log.error(`[capix] ${readThrown(cause).message}`, { error: cause });
      throw defaultErrors.ServiceUnavailable({ retryAfterSeconds: 1 }, { cause });
    }
    // It may have been stopped in the turn in which it had started.
    if (this.#isStopped) throw defaultErrors.ServiceUnavailable();
  }

  /** @throws Error for a call by a part in its own start, which would wait for that start */
  async #expectEndOfStart(): Promise<void> {
    const own = this.#within.getStore();
    if (own === undefined || (await race(own.ended, OWN_START_MS))) return;
    throw new Error(
      `The plugin ${own.part.name} calls a capability while it starts, and no call runs before ` +
        'all plugins have started. Make the call after `await server.start()`, or do not await it in `start`.',
    );
  }

  /** Stops all, the last one first, whatever becomes of each. A second call has less patience. Never rejects. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = this.#parts.length > 0;
    this.#patience.shorten(graceMs);
    await this.#starting?.catch(() => {});
    await this.#stopAll();
  }

  async #startAll(): Promise<void> {
    await this.#stopping;
    this.#isStopped = false;
    this.#patience = new Patience();
    for (const part of this.#parts) {
      try {
        await startInTime(part, this.#log, this.#within);
      } catch (error) {
        this.#patience.shorten(0);
        await this.#stopAll();
        throw error;
      }
      this.#started.push(part);
    }
    this.isReady = true;
  }

  #stopAll(): Promise<void> {
    this.isReady = this.#parts.length === 0;
    this.#stopping ??= this.#stopStarted().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stopStarted(): Promise<void> {
    const patience = this.#patience;
    for (const part of this.#started.splice(0).toReversed())
      await stopInTime(part, patience, this.#log);
    patience.end();
  }
}

/** A time to wait that gets shorter. */
class Patience {
  readonly over: Promise<void>;
  #endsAtMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => {};

  constructor() {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get leftMs(): number {
    return Math.max(LEAST_STOP_MS, Math.round(this.#endsAtMs - performance.now()));
  }

  shorten(ms: number): void {
    const endsAtMs = performance.now() + ms;
    if (endsAtMs >= this.#endsAtMs) return;
    this.#endsAtMs = endsAtMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#resolve, Math.min(Math.max(0, ms), MAX_TIMEOUT_MS));
  }

  /** Leaves no timer behind, which would keep the process alive. */
  end(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}

/** @throws Error that names the part, for its own error and where its time is over: it is stopped once it has begun */
async function startInTime(
  part: LivingPart,
  log: FaultLog,
  within: AsyncLocalStorage<Start>,
): Promise<void> {
  const { name, start, startTimeoutMs = 30_000 } = part;
  if (start === undefined) return;
  const controller = new AbortController();
  const { signal } = controller;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const started = within.run({ part, ended }, async () => start({ signal })).finally(end);
  const won = await race(started, startTimeoutMs).catch((cause: unknown) => {
    throw new Error(`The plugin ${name} did not start: ${readThrown(cause).message}`, { cause });
  });
  if (won) return;
  const text = `The plugin ${name} did not start within ${startTimeoutMs} ms.`;
  const fault = new Error(text);
  controller.abort(fault);
  void endLate(part, { started, fault, log });
  throw fault;
}

/** Closes what a part has opened that starts after all, when nobody waits for it any more. */
async function endLate(
  part: LivingPart,
  late: { readonly started: Promise<unknown>; readonly fault: Error; readonly log: FaultLog },
): Promise<void> {
  const { started, fault, log } = late;
  try {
    await started;
  } catch (error) {
    if (error === fault) return;
    return log.error(`[capix] The plugin ${part.name} failed after its time to start`, { error });
  }
  const patience = new Patience();
  patience.shorten(LEAST_STOP_MS);
  await stopInTime(part, patience, log);
  patience.end();
}

/** Never rejects: what fails, and what does not end, is in the log. */
async function stopInTime(part: LivingPart, patience: Patience, log: FaultLog): Promise<void> {
  const { name, stop } = part;
  if (stop === undefined) return;
  const report = (error: unknown): void =>
    log.error(`[capix] The plugin ${name} failed to stop`, { error });
  const graceMs = patience.leftMs;
  const stopped = (async () => stop({ graceMs }))().catch(report);
  const atLeast = new AbortController();
  const end = Promise.all([
    patience.over,
    wait(LEAST_STOP_MS, undefined, { signal: atLeast.signal }),
  ]).then(
    () => 'over' as const,
    () => undefined,
  );
  if ((await Promise.race([stopped, end])) === 'over')
    log.error(`[capix] The plugin ${name} has not stopped in time, and is not waited for.`);
  atLeast.abort();
}

/** Whether it fulfils within the time. Rejects where it rejects by then. */
async function race(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([
      promise.then(() => true),
      wait(ms, false, { signal: over.signal }).catch(() => false),
    ]);
  } finally {
    over.abort();
  }
}
