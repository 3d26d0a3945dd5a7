import { useEffect, useState } from 'react';

/** Gives what the newest `load` says; until it is there, what the one before said. The same function is asked once. */
export function useLatest<T>(load: () => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    let isOld = false;
    void load().then((next) => !isOld && setValue(next));
    return () => {
      isOld = true;
    };
  }, [load]);
  return value;
}
