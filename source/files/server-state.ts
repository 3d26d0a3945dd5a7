import { isAlive } from '../system/own-process-id.ts';
import { readCache, readJsonCache, removeCache, writeCache } from './project-cache.ts';

/** The state of a project's server that `capix dev` runs. */
export interface ServerState {
  /** The id of the process of `capix dev`. */
  readonly pid: number;
  /** The addresses at which clients reach it; none for a server that says nothing of it. */
  readonly urls: readonly string[];
  /** When `capix dev` began, milliseconds since 1970. */
  readonly startedAt: number;
  /** `stale`: the newest code cannot start, and the version before answers. `down`: nothing answers. */
  readonly phase: 'ready' | 'stale' | 'down';
}

const STATE = 'server.json';

/** The server that `capix dev` runs in a project, in whichever window; undefined where none does. */
export async function readServerState(root: string): Promise<ServerState | undefined> {
  const state = (await readJsonCache(root, STATE)) as ServerState | undefined;
  return state !== undefined && isAlive(state.pid) ? state : undefined; // One that was killed could not clean up.
}

export function writeServerState(root: string, state: ServerState): Promise<void> {
  return writeCache(root, STATE, `${JSON.stringify(state)}\n`);
}

/** Removes the files about the server of a process that has ended. */
export async function removeServerState(root: string, pid: number): Promise<void> {
  if ((await readServerState(root))?.pid === pid) await removeCache(root, STATE);
}

/** The last events of the `capix dev` that runs in a project, a JSON document a line. */
export const DEV_JOURNAL = 'dev.jsonl';

/** The events in their order; none where nothing was written. */
export async function readDevJournal(
  root: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const lines = ((await readCache(root, DEV_JOURNAL)) ?? '').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  } catch {
    return [];
  }
}
