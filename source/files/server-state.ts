import { readFile, rm } from 'node:fs/promises';
import { isAlive } from '../system/own-process-id.ts';
import { findCacheFile } from './find-cache-file.ts';
import { writeFileWhole } from './write-files.ts';

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

const FILE = 'server.json';

/** The server that `capix dev` runs in a project, in whichever window; undefined where none does, or its state cannot be read. */
export async function readServerState(root: string): Promise<ServerState | undefined> {
  try {
    const file = await findCacheFile(root, FILE);
    if (file === undefined) return undefined;
    const state = JSON.parse(await readFile(file, 'utf8')) as ServerState;
    return isAlive(state.pid) ? state : undefined; // One that was killed could not clean up.
  } catch {
    return undefined;
  }
}

/** Tells other windows how the server stands, in the project's `node_modules/.cache`; without `node_modules` nobody is told. */
export async function writeServerState(root: string, state: ServerState): Promise<void> {
  const file = await findCacheFile(root, FILE);
  if (file !== undefined) await writeFileWhole(file, `${JSON.stringify(state)}\n`);
}

/** Removes what was told of the server of a process, which has ended. */
export async function removeServerState(root: string, pid: number): Promise<void> {
  const state = await readServerState(root);
  const file = await findCacheFile(root, FILE);
  if (state?.pid === pid && file !== undefined) await rm(file, { force: true });
}
