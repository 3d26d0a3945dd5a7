import { createContext, useContext, useState } from 'react';

/** The values that the views of a screen keep by name for when the user comes back to it. */
export const KeptContext = createContext<Map<string, unknown>>(new Map());

/** State that is still there when the user comes back to the screen. `name`: unique on the screen. */
export function useKept<T>(name: string, initial: T | (() => T)): readonly [T, (value: T) => void] {
  const kept = useContext(KeptContext);
  const [value, setValue] = useState<T>(() =>
    kept.has(name) ? (kept.get(name) as T) : initial instanceof Function ? initial() : initial,
  );
  return [
    value,
    (next) => {
      kept.set(name, next);
      setValue(() => next);
    },
  ];
}
