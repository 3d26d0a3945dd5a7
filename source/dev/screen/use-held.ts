import type { Line } from '../../kit/line.ts';
import { useKept } from '../../kit/use-kept.ts';

/** A list that grows, or stands still while more comes. */
export interface Held<T> {
  readonly shown: readonly T[];
  readonly isHeld: boolean;
  /** The line that says so; undefined while it grows. */
  readonly note: Line | undefined;
  readonly hold: () => void;
  readonly release: () => void;
}

/** `total`: the number that has come in all. `name`: unique on the screen. */
export function useHeld<T>(name: string, all: readonly T[], total: number): Held<T> {
  const [held, setHeld] = useKept<{ readonly all: readonly T[]; readonly total: number } | undefined>(name, undefined);
  return {
    shown: held?.all ?? all,
    isHeld: held !== undefined,
    note: held && [{ text: `  held, ${total - held.total} newer, Space goes on`, token: 'muted' }],
    hold: () => setHeld({ all, total }),
    release: () => setHeld(undefined),
  };
}
