import type { Terminal } from '../terminal/terminal.ts';
import { readServerStates } from './server-state.ts';

/** The address of the server of a project. */
export interface ServerAddress {
  /** Without a slash at its end; where no dev server runs, the address that one would have. */
  readonly url: string;
  /** Whether `capix dev` runs there; undefined until it was looked for. */
  readonly isRunning: boolean | undefined;
}

const DEFAULT_PORT = 3000;

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

export function toGuessedAddress({ environment }: Pick<Terminal, 'environment'>): ServerAddress {
  return {
    url: `http://localhost:${Number(environment['PORT']) || DEFAULT_PORT}`,
    isRunning: undefined,
  };
}
