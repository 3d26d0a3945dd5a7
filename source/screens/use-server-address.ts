import { useCallback, useEffect, useState } from 'react';
import { readServerStates } from '../files/server-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { useServices } from './use-screen.ts';

/** The address of the server of a project. */
export interface ServerAddress {
  /** Without a slash at its end; where no dev server runs, the address that one would have. */
  readonly url: string;
  /** Whether `capix dev` runs there; undefined until it was looked for. */
  readonly isRunning: boolean | undefined;
}

const DEFAULT_PORT = 3000;

/** The address at which calls reach the project. It follows the server. `root`: absolute path of the project. */
export function useServerAddress(root: string): ServerAddress {
  const { terminal } = useServices();
  const look = useCallback(() => findServerAddress(root, terminal), [root, terminal]);
  return usePolled<ServerAddress>(look, toGuessedAddress(terminal));
}

/** Looks once: the dev server that was started first, in whichever window, else the port of the environment. */
export async function findServerAddress(
  root: string,
  terminal: Pick<Terminal, 'environment'>,
): Promise<ServerAddress> {
  const [first = { ...toGuessedAddress(terminal), isRunning: false }] = await findDevServers(root);
  return first;
}

/** The dev servers of a project that run, in whichever windows, in the order in which they were started. */
export async function findDevServers(root: string): Promise<readonly ServerAddress[]> {
  const urls = (await readServerStates(root)).flatMap((state) => state.urls.slice(0, 1));
  return urls.map((url) => ({ url: url.replace(/\/+$/, ''), isRunning: true }));
}

function toGuessedAddress({ environment }: Pick<Terminal, 'environment'>): ServerAddress {
  return {
    url: `http://localhost:${Number(environment['PORT']) || DEFAULT_PORT}`,
    isRunning: undefined,
  };
}

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
