/** The time for which code that listens waits for a capix server's begun start, milliseconds. */
const START_LIMIT_MS = 5_000;
/** The time for which news of code that counts as started waits, so that several are told together, milliseconds. */
const LATE_MS = 50;

/** Tells when code counts as started, and what it starts after that. */
export interface Readiness {
  isReady(): boolean;
  /** Whether transports have started. */
  hasStarted(): boolean;
  /** An address that the code asked for is being opened: it does not count as started before. */
  waitFor(opening: Promise<void>): void;
  /** A start of a capix server has begun: code that listens does not count as started before it ends, for 5 s. */
  takeStarting(): void;
  takeNotStarted(): void;
  /** The transports have started. */
  takeStarted(): void;
  /** It listens by itself. It counts as started once it is loaded, too: another server may follow. */
  takeListening(): void;
  /** It is loaded, or waits for something in the middle of that. */
  takeLoaded(): void;
  /** It has opened something more, which is told if it counts as started already. */
  takeMore(): void;
}

export interface ReadinessOptions {
  readonly onReady: () => void;
  /** Code that counts as started has opened more: one server follows another, in one turn or soon after. */
  readonly onLateStart: () => void;
}

export function createReadiness({ onReady, onLateStart }: ReadinessOptions): Readiness {
  const openings: Promise<void>[] = [];
  let listens = false;
  let isLoaded = false;
  let isReady = false;
  let hasStarted = false;
  let startingCount = 0;
  let isWaiting = false;
  let late: NodeJS.Timeout | undefined;

  const settle = (): void => {
    isReady = true;
    onReady();
  };
  const settleListening = (): void => {
    if (startingCount === 0) {
      // Others may be about to listen, too.
      void Promise.all(openings).then(settle);
    } else if (!isWaiting) {
      isWaiting = true;
      setTimeout(settle, START_LIMIT_MS).unref();
    }
  };
  const takeMore = (): void => {
    if (!isReady || late !== undefined) return;
    late = setTimeout(() => {
      late = undefined;
      onLateStart();
    }, LATE_MS).unref();
  };
  return {
    isReady: () => isReady,
    hasStarted: () => hasStarted,
    takeStarting: () => {
      startingCount += 1;
    },
    takeNotStarted: () => {
      startingCount -= 1;
      if (isWaiting) settleListening();
    },
    waitFor: (opening) => void openings.push(opening),
    takeStarted: () =>
      void Promise.all(openings).then(() => {
        startingCount = Math.max(0, startingCount - 1);
        hasStarted = true;
        takeMore();
        settle();
      }),
    takeListening: () => {
      listens = true;
      if (isLoaded) settleListening();
    },
    takeLoaded: () => {
      isLoaded = true;
      if (listens) settleListening();
    },
    takeMore,
  };
}
