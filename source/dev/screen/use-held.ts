import type { Line } from '../../kit/line.ts';
import { useKept } from '../../kit/use-kept.ts';

/** A list that grows, or is held while more comes. `total`: of all that came. `name`: unique on the screen. */
export function useHeld<T>(name: string, all: readonly T[], total: number) {
  const [held, setHeld] = useKept<{ readonly all: readonly T[]; readonly total: number } | undefined>(name, undefined);
  return {
    shown: held?.all ?? all,
    isHeld: held !== undefined,
    /** The line that says so. */
    note: held && ([{ text: `  held, ${total - held.total} newer, Space goes on`, token: 'muted' }] satisfies Line),
    hold: () => setHeld({ all, total }),
    release: () => setHeld(undefined),
    toggle: () => setHeld(held === undefined ? { all, total } : undefined),
  };
}
