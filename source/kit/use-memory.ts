import { createContext, useContext, useEffect, useState } from 'react';

/** The values that the views of a screen keep by name for when the user comes back to it. */
export const MemoryContext = createContext<Map<string, unknown>>(new Map());

/** State that is there when the user comes back. `name`: unique on the screen; another name is another state. */
export function useMemory<T>(
  name: string,
  initial: T | (() => T),
): readonly [T, (value: T) => void] {
  const memory = useContext(MemoryContext);
  const read = (): T => {
    if (memory.has(name)) return memory.get(name) as T;
    return initial instanceof Function ? initial() : initial;
  };
  const [state, setState] = useState(() => ({ name, value: read() }));
  return [
    state.name === name ? state.value : read(),
    (value) => {
      memory.set(name, value);
      setState({ name, value });
    },
  ];
}

/**
 * Gives the result of the newest `load`; until there is one, the result of the load before it. The same function runs
 * once.
 */
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
