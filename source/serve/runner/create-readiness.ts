/** The time for which code that listens by itself may go on loading before it counts as started, milliseconds: another server may follow. */
const LOAD_LIMIT_MS = 500;
/** The time for which news of code that counts as started waits, so that several are told together, milliseconds. */
const LATE_MS = 50;

/** Tells when code counts as started, and what it starts after that. */
export interface Readiness {
  isReady(): boolean;
  /** An address that the code asked for is being opened: it does not count as started before. */
  waitFor(opening: Promise<void>): void;
  /** The transports have started. */
  takeStarted(): void;
  /** It listens by itself. It counts as started once it is loaded, too, or has gone on loading for half a second. */
  takeListening(): void;
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
  let late: NodeJS.Timeout | undefined;

  const settle = (): void => {
    isReady = true;
    onReady();
  };
  // Others may be about to listen, too.
  const settleListening = (): void => void Promise.all(openings).then(settle);
  const takeMore = (): void => {
    if (!isReady || late !== undefined) return;
    late = setTimeout(() => {
      late = undefined;
      onLateStart();
    }, LATE_MS).unref();
  };
  return {
    isReady: () => isReady,
    waitFor: (opening) => void openings.push(opening),
    takeStarted: () =>
      void Promise.all(openings).then(() => {
        takeMore();
        settle();
      }),
    takeListening: () => {
      listens = true;
      if (isLoaded) settleListening();
      else setTimeout(settleListening, LOAD_LIMIT_MS).unref();
    },
    takeLoaded: () => {
      isLoaded = true;
      if (listens) settleListening();
    },
    takeMore,
  };
}
