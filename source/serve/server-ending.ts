import { waitWithin } from '../system/timing.ts';
import type { OpenPorts, ServerMessage } from './server-message.ts';
import type { ServerProcess } from './start-server-process.ts';
import type { RunnerOptions } from './supervisor-options.ts';

/** The time for which a server may be too busy to give up its place, until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time that a server may take to close its connections, milliseconds. */
const CUT_LIMIT_MS = 500;
/** The time for which it may be too busy to hear that another answers, milliseconds. */
const DIVERT_LIMIT_MS = 500;

/** The answers of a process that is asked to end. */
export type EndingMessage = Extract<
  ServerMessage,
  { readonly kind: 'diverted' | 'drained' | 'streams-ended' | 'were-cut' }
>;

export interface EndingOptions extends Pick<RunnerOptions, 'graceMs' | 'onEnding' | 'onNotice'> {
  readonly child: Promise<ServerProcess>;
  /** Whether its server has started. */
  readonly isReady: () => boolean;
  /** Whether it was given code to run: the end of a process that only waited is not reported. */
  readonly hasRun: () => boolean;
  /** Whether it may stand at a breakpoint, where it hears nothing. */
  readonly isInspected: () => boolean;
}

/** Ends the process of a server, as gently as there is time for. */
export class ServerEnding {
  readonly #options: EndingOptions;
  #drainedSince = Number.NEGATIVE_INFINITY;
  #hasHeard = false;
  #passesOn = false;
  #hasBegun = false;
  #stopping: Promise<void> | undefined;
  readonly #diverted = createDeferred();
  readonly #drained = createDeferred();
  readonly #wereCut = createDeferred();
  readonly #streamsEnded = createDeferred();

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  /** Whether the process was told to make way. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Lets it finish what it has, then ends it; what still comes to it goes to the ports given. Resolves when it answers
   * nothing new any more, or is too busy to say so.
   */
  async retire(ports: OpenPorts): Promise<void> {
    const child = await this.#options.child;
    const drained = this.#drain(child, ports);
    void Promise.race([drained, child.exited]).then(() => this.stop());
    void waitWithin(BUSY_LIMIT_MS, this.#diverted.promise, child.exited).then(() => {
      if (!this.#hasHeard && !this.#options.isInspected()) void this.stop();
    });
    await waitWithin(DIVERT_LIMIT_MS, this.#diverted.promise, child.exited);
  }

  /** Ends it for a successor that starts only then: it has the grace to finish what it has, and again to end. */
  async makeRoom(): Promise<void> {
    const child = await this.#options.child;
    await waitWithin(this.#options.graceMs, this.#drain(child, {}), child.exited);
    if (child.send({ kind: 'cut' })) await waitWithin(CUT_LIMIT_MS, this.#wereCut.promise, child.exited);
    await this.stop();
  }

  /**
   * Ends what its code has not finished, but for requests that are quick, and then the process, unless requests to
   * newer code come through it: it goes on until these are answered.
   */
  async cut(): Promise<void> {
    const child = await this.#options.child;
    const quickMs = this.#drainedSince + QUICK_MS - performance.now();
    if (quickMs > 0) await waitWithin(quickMs, this.#drained.promise, child.exited);
    if (child.send({ kind: 'cut' })) await waitWithin(BUSY_LIMIT_MS, this.#wereCut.promise, child.exited);
    if (!this.#passesOn) await this.stop();
  }

  /** Ends its event streams, and then the process, which is killed where it takes longer than the grace. */
  stop(): Promise<void> {
    this.#hasBegun = true;
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  take(message: EndingMessage): void {
    switch (message.kind) {
      case 'diverted':
        this.#hasHeard = true;
        return this.#diverted.resolve();
      case 'drained':
        return this.#drained.resolve();
      case 'streams-ended':
        return this.#streamsEnded.resolve();
      case 'were-cut':
        this.#passesOn = message.passesOn;
        if (message.requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests: message.requests });
        return this.#wereCut.resolve();
    }
  }

  #drain(child: ServerProcess, ports: OpenPorts): Promise<void> {
    this.#drainedSince = performance.now();
    this.#hasBegun = true;
    child.send({ kind: 'drain', ports });
    return this.#drained.promise;
  }

  async #stop(): Promise<void> {
    const { graceMs, onEnding, onNotice, isReady, hasRun } = this.#options;
    const child = await this.#options.child;
    if (isReady() && child.send({ kind: 'end-streams' }))
      await waitWithin(CUT_LIMIT_MS, this.#streamsEnded.promise, child.exited);
    const ended = child.stop(graceMs);
    onEnding(ended);
    await ended;
    const { signalName } = await child.exited;
    if (signalName === 'SIGKILL' && hasRun()) onNotice({ code: 'Killed', graceMs });
  }
}

/** A promise that is resolved from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** As `Promise.withResolvers` makes it, which Node has from version 22 on. */
export function createDeferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
