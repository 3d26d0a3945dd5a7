import { useEffect, useState } from 'react';

/** Gives the answer of the last `ask`; of earlier ones that are still under way the answers are passed over. `ask` must stay the same function for the same question, and never reject. */
export function useLatest<T>(ask: () => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    let isOld = false;
    void ask().then((next) => {
      if (!isOld) setValue(next);
    });
    return () => {
      isOld = true;
    };
  }, [ask]);
  return value;
}
