import { isAlive } from '../system/own-process-id.ts';
import { attempt } from '../values/attempt.ts';
import type { JsonObject } from '../values/json.ts';
import { listCache, readCache, readJsonCache, removeCache, writeCache } from './project-cache.ts';

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

/** Why a request to the server failed. An event of the journal. */
export interface RecordedFailure {
  readonly event: 'failure';
  readonly requestId: string;
  readonly error: { readonly name: string; readonly message: string; readonly stack: string };
  readonly guards: readonly { readonly name: string; readonly rejection?: string | undefined }[];
  /** The last lines that it wrote. */
  readonly logs: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
}

/** A file for each `capix dev` of a project, and one for its events, by the id of its process. */
const FOLDER = 'servers';

/** The servers that `capix dev` runs in a project, in whichever window: the one that was started first is the first. */
export async function readServerStates(root: string): Promise<readonly ServerState[]> {
  const states = await Promise.all(
    (await listStateFiles(root)).map((name) => readJsonCache(root, name)),
  );
  return (states as (ServerState | undefined)[])
    .filter((state) => state !== undefined)
    .filter(({ pid }) => isAlive(pid)) // One that was killed could not clean up.
    .toSorted((one, other) => one.startedAt - other.startedAt);
}

/** The server that was started first of those whose address is known; undefined where none runs. */
export async function readServerState(root: string): Promise<ServerState | undefined> {
  const states = await readServerStates(root);
  return states.find(({ urls }) => urls.length > 0) ?? states[0];
}

export function writeServerState(root: string, state: ServerState): Promise<void> {
  return writeCache(root, `${FOLDER}/${state.pid}.json`, `${JSON.stringify(state)}\n`);
}

/** Removes the files about the server of a process that has ended, and those that killed processes have left. */
export async function removeServerState(root: string, pid: number): Promise<void> {
  const ended = (await listStateFiles(root))
    .map((name) => Number(/(\d+)\.json$/.exec(name)?.[1]))
    .filter((each) => each === pid || !isAlive(each));
  const files = [pid, ...ended].flatMap((each) => [`${FOLDER}/${each}.json`, toJournalName(each)]);
  await Promise.all(files.map((file) => removeCache(root, file)));
}

async function listStateFiles(root: string): Promise<readonly string[]> {
  return (await listCache(root, FOLDER)).filter((name) => /\d+\.json$/.test(name));
}

/** Writes the last events of a `capix dev`, a JSON document a line. */
export function writeDevJournal(root: string, pid: number, text: string): Promise<void> {
  return writeCache(root, toJournalName(pid), text);
}

function toJournalName(pid: number): string {
  return `${FOLDER}/${pid}.jsonl`;
}

/** The events of a `capix dev` in their order; none where nothing was written. */
export async function readDevJournal(root: string, pid: number): Promise<readonly JsonObject[]> {
  const lines = ((await readCache(root, toJournalName(pid))) ?? '').split('\n').filter(Boolean);
  return attempt(() => lines.map((line) => JSON.parse(line) as JsonObject)) ?? [];
}
