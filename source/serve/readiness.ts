/** The time for which code that listens waits for a capix server's begun start, milliseconds. */
const START_LIMIT_MS = 5_000;
/** The time for which news of code that counts as started waits, so that several are told together, milliseconds. */
const LATE_MS = 50;

export interface ReadinessOptions {
  readonly onReady: () => void;
  /** Code that counts as started has opened more. */
  readonly onLateStart: () => void;
}

/**
 * Finds out when code counts as started: when a server of capix has, or when it listens by itself and is loaded, or
 * waits for something in the middle of that, and no start of capix has begun: that is waited for, for 5 s.
 */
export class Readiness {
  isReady = false;
  /** Whether transports have started. */
  hasStarted = false;
  readonly #options: ReadinessOptions;
  readonly #openings: Promise<void>[] = [];
  #begunCount = 0;
  #listens = false;
  #isLoaded = false;
  #limit: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** An address that the code asked for is being opened: it does not count as started before. */
  waitFor(opening: Promise<void>): void {
    this.#openings.push(opening);
  }

  /** The start of a server of capix has begun, or come to no good end. */
  countStarts(by: 1 | -1): void {
    this.#begunCount += by;
    this.#look();
  }

  /** The transports have started. The code does not wait for the ports that it has asked for. */
  async takeStarted(): Promise<void> {
    await Promise.all(this.#openings);
    this.hasStarted = true;
    this.takeMore();
    this.#countAsReady();
  }

  takeListening(): void {
    this.#listens = true;
    this.takeMore();
    this.#look();
  }

  /** It is loaded, or waits for something in the middle of that. */
  takeLoaded(): void {
    this.#isLoaded = true;
    this.#look();
  }

  /** It has opened something more: one server follows another, in one turn or soon after. */
  takeMore(): void {
    if (!this.isReady || this.#late !== undefined) return;
    this.#late = setTimeout(() => {
      this.#late = undefined;
      this.#options.onLateStart();
    }, LATE_MS).unref();
  }

  #look(): void {
    if (this.isReady || !this.#listens || !this.#isLoaded) return;
    if (this.#begunCount === 0) void Promise.all(this.#openings).then(() => this.#countAsReady());
    else if (this.#limit === undefined) this.#limit = setTimeout(() => this.#countAsReady(), START_LIMIT_MS).unref();
  }

  #countAsReady(): void {
    if (this.isReady) return;
    clearTimeout(this.#limit);
    this.isReady = true;
    this.#options.onReady();
  }
}
