import { useEffect, useState } from 'react';

/** The interval between two looks, milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * The value that `read` gives, looked at again and again while the screen is open. Drawn anew only where it has
 * changed. `read`: a constant. `initial`: what is known before, of which only the first counts.
 */
export function usePolled<T>(read: (known: T) => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial);
  // Another object with every draw would be another look with every key.
  const [first] = useState(initial);
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    let known = first;
    const look = async (): Promise<void> => {
      const seen = await read(known);
      if (isOver) return;
      if (JSON.stringify(seen) !== JSON.stringify(known)) setValue(seen);
      known = seen;
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [read, first]);
  return value;
}
