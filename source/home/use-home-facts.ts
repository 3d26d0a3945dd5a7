import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { useCallback } from 'react';
import { type PastCall, readCallHistory } from '../files/past-call.ts';
import { readDevJournal, readServerState, type ServerState } from '../files/server-state.ts';
import { usePolled } from '../screens/use-server-address.ts';
import { ownProcessId } from '../system/own-process-id.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The facts that home shows of a project beside its capabilities. */
export interface HomeFacts {
  readonly server: FoundServer;
  /** The last one first. */
  readonly calls: readonly PastCall[];
  /** The last requests of the dev server; none where there is no such server. */
  readonly activity: Activity;
  /** The version in package.json. */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
}

const DEFAULT_PORT = 3000;
const noActivity: Activity = { requestCount: 0, errors: [], slowest: [] };
const noFacts: HomeFacts = { server: { kind: 'unknown' }, calls: [], activity: noActivity };

/** Kept up to date while the screen is open. `root`: absolute path of the project, undefined until it is known. */
export function useHomeFacts(root: string | undefined, { environment }: Pick<Terminal, 'environment'>): HomeFacts {
  const port = toPort(environment['PORT']);
  const read = useCallback(async (): Promise<HomeFacts> => {
    if (root === undefined) return noFacts;
    const [found, calls, about] = await Promise.all([findServer(root, port), readCallHistory(root), readAbout(root)]);
    // One that was killed has left its journal.
    const activity = found.kind === 'dev' ? toActivity(await readDevJournal(root)) : noActivity;
    return { server: found, calls, activity, ...about };
  }, [root, port]);
  return usePolled(read, noFacts);
}

/** 0 asks for any free port, where nobody is found. */
function toPort(text: string | undefined): number {
  const port = Number(text || DEFAULT_PORT);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : DEFAULT_PORT;
}

async function readAbout(root: string): Promise<Pick<HomeFacts, 'version' | 'description'>> {
  try {
    const { version, description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    return { version: toText(version), description: toText(description) };
  } catch {
    return {};
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A request that failed, and those like it. */
export interface RecentError {
  readonly method: string;
  readonly url: string;
  readonly capability: string | undefined;
  /** 0 where the caller has left. */
  readonly status: number;
  /** Milliseconds since 1970, of the last one. */
  readonly at: number;
  readonly count: number;
}

export interface SlowRoute {
  /** Key of the capability. */
  readonly key: string;
  readonly method: string;
  readonly p95Ms: number;
  readonly count: number;
}

/** The last requests of a dev server, summed up. */
export interface Activity {
  readonly requestCount: number;
  /** The newest first. */
  readonly errors: readonly RecentError[];
  /** The slowest first. */
  readonly slowest: readonly SlowRoute[];
}

/** The number of lines that home has for each. */
const MAX_SHOWN = 5;

interface Request {
  readonly method: string;
  readonly url: string;
  readonly capability: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly at: number;
}

/** Reads the journal of a dev server, the oldest first: the requests of what `capix dev --json` writes. */
export function toActivity(events: readonly Readonly<Record<string, unknown>>[]): Activity {
  const requests = events.flatMap(toRequest);
  return { requestCount: requests.length, errors: toErrors(requests), slowest: toSlowest(requests) };
}

function toRequest({
  event,
  time,
  method,
  url,
  capability,
  status,
  durationMs,
}: Readonly<Record<string, unknown>>): readonly Request[] {
  if (event !== 'request' || typeof method !== 'string' || typeof url !== 'string') return [];
  if (typeof status !== 'number' || typeof durationMs !== 'number') return [];
  const key = typeof capability === 'string' ? capability : undefined;
  return [{ method, url, capability: key, status, durationMs, at: Date.parse(String(time)) }];
}

function toErrors(requests: readonly Request[]): readonly RecentError[] {
  const errors = new Map<string, RecentError>();
  for (const { method, url, capability, status, at } of requests) {
    if (status !== 0 && status < 400) continue;
    const id = `${status} ${method} ${url}`;
    const count = (errors.get(id)?.count ?? 0) + 1;
    // The last one gives the place among the others.
    errors.delete(id);
    errors.set(id, { method, url, capability, status, at, count });
  }
  return [...errors.values()].toReversed().slice(0, MAX_SHOWN);
}

function toSlowest(requests: readonly Request[]): readonly SlowRoute[] {
  const routes = new Map<string, { readonly method: string; readonly durationsMs: number[] }>();
  for (const { capability, method, durationMs } of requests) {
    if (capability === undefined) continue;
    const route = routes.get(capability) ?? { method, durationsMs: [] };
    route.durationsMs.push(durationMs);
    routes.set(capability, route);
  }
  return [...routes]
    .map(([key, { method, durationsMs }]) => {
      const sorted = durationsMs.toSorted((a, b) => a - b);
      const p95Ms = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
      return { key, method, p95Ms, count: durationsMs.length };
    })
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, MAX_SHOWN);
}

/** Which server there is for a project. */
export type FoundServer =
  /** It was not looked for yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  /** `capix dev` of the project, in this window or in another one. */
  | { readonly kind: 'dev'; readonly state: ServerState; readonly isHere: boolean; readonly answers: boolean }
  /** Something else has the port that the project's server would have. */
  | { readonly kind: 'other'; readonly url: string };

/** The time that a server may take to accept a connection, milliseconds. */
const ACCEPT_MS = 1_000;

/** `root`: absolute path of the project. `port`: where a server is looked for that is not that of `capix dev`. */
export async function findServer(root: string, port: number): Promise<FoundServer> {
  const state = await readServerState(root);
  if (state !== undefined) {
    const [url] = state.urls;
    return {
      kind: 'dev',
      state,
      isHere: state.pid === ownProcessId,
      answers: url !== undefined && (await accepts(url)),
    };
  }
  const url = `http://localhost:${port}`;
  return (await accepts(url)) ? { kind: 'other', url } : { kind: 'none' };
}

/** Sends nothing: a request would be one more in the server's log. */
function accepts(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  // The brackets of an address of IPv6 are the URL's.
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port || (protocol === 'https:' ? 443 : 80)), host, timeout: ACCEPT_MS });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
