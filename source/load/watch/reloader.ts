import type { SeenChange } from '../../system/watch/gather-changes.ts';
import { type CodeInputs, isBuildInput } from './code-inputs.ts';
import { isDuring, type Span } from './span.ts';

export interface ReloaderOptions {
  /** Loads what is on the disk; where `mayBeSame`, only if the code is not what was loaded last. Never rejects. */
  readonly load: (files: readonly string[], mayBeSame: boolean) => Promise<void>;
  readonly filter: ChangeFilter;
}

/** Loads once more after a load for what has changed meanwhile, so that the last save wins. */
export interface Reloader {
  /** Asks for a load. Resolves when nothing is left to load, or another call sees to that. */
  readonly take: (changes: readonly SeenChange[]) => Promise<void>;
  /** No load begins any more. */
  readonly end: () => void;
}

/** The most loads in a row for files written during a load: a person may save then. */
const MAX_ECHOES = 3;
/** The first wait after those loads, milliseconds: the code seems to write itself. Each next wait is doubled. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export function createReloader({ load, filter }: ReloaderOptions): Reloader {
  let isRunning = false;
  let isEnded = false;
  let waiting: readonly SeenChange[] | undefined;
  let last: Span | undefined;
  let echoes = 0;
  let wake = (): void => {};

  /** Whether these were written while the code was loaded, perhaps by itself. */
  const isEcho = (changes: readonly SeenChange[]): boolean => {
    const span = last;
    return span !== undefined && changes.length > 0 && changes.every((change) => isDuring(change, span));
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function loadNext(): Promise<void> {
    const changes = waiting ?? [];
    waiting = undefined;
    const mayBeSame = isEcho(changes);
    filter.begin();
    const from = performance.now();
    await load([...new Set(changes.map(({ file }) => file))], mayBeSame);
    last = { from, to: performance.now() };
    const late = filter.end();
    if (late.length > 0) waiting = [...(waiting ?? []), ...late];
  }

  return {
    take: async (changes) => {
      waiting = [...(waiting ?? []), ...changes];
      wake();
      if (isRunning) return;
      isRunning = true;
      while (waiting !== undefined && !isEnded) {
        echoes = isEcho(waiting) ? echoes + 1 : 0;
        if (echoes > MAX_ECHOES)
          await pause(Math.min(FIRST_PAUSE_MS * 2 ** (echoes - MAX_ECHOES - 1), LONGEST_PAUSE_MS));
        if (!isEnded) await loadNext();
      }
      isRunning = false;
    },
    end: () => {
      isEnded = true;
      wake();
    },
  };
}

/** Finds the changes that may make another build: code, its settings, and what was missing; not data and logs. */
interface ChangeFilter {
  /** The changes that count. */
  readonly pick: (changes: readonly SeenChange[]) => readonly SeenChange[];
  /** A build begins: what it depends on is known at its end only. */
  readonly begin: () => void;
  /** A build has ended. Gives the changes of meanwhile that count, as is known now. */
  readonly end: () => readonly SeenChange[];
}

/** `inputs` gives those of the last build; `others` are further files that count, as absolute paths. */
export function createChangeFilter(inputs: () => CodeInputs, others: readonly string[] = []): ChangeFilter {
  let passed: SeenChange[] | undefined;
  const counts = ({ file }: SeenChange): boolean => isBuildInput(file, inputs(), (other) => others.includes(other));
  return {
    pick: (changes) => {
      for (const change of changes) if (!counts(change)) passed?.push(change);
      return changes.filter(counts);
    },
    begin: () => {
      passed = [];
    },
    end: () => {
      const late = (passed ?? []).filter(counts);
      passed = undefined;
      return late;
    },
  };
}
