import { createContext, useContext, useEffect, useState } from 'react';
import type { Terminal } from '../terminal/terminal.ts';

export interface Ui {
  readonly terminal: Terminal;
}

export const UiContext = createContext<Ui | undefined>(undefined);

export function useUi(): Ui {
  const ui = useContext(UiContext);
  if (ui === undefined) throw new Error('A view is drawn outside of UiRoot.');
  return ui;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const BodySizeContext = createContext<Size>({ columns: 80, rows: 21 });

export function useBodySize(): Size {
  return useContext(BodySizeContext);
}

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

/** The interval between two looks, milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * The value that `read` gives, looked at again and again while the screen is open. Drawn anew only where it has
 * changed. `read`: a constant. `initial`: what is known before, of which only the first counts.
 */
export function usePolled<T>(read: () => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial);
  // Another object with every draw would be another look with every key.
  const [first] = useState(initial);
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    let known = first;
    const look = async (): Promise<void> => {
      const seen = await read();
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
