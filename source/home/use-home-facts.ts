import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useCallback } from 'react';
import { type PastCall, readCallHistory } from '../files/past-call.ts';
import { readDevJournal } from '../files/server-state.ts';
import { usePolled } from '../screens/use-server-address.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Activity, toActivity } from './activity.ts';
import { type FoundServer, findServer } from './find-server.ts';

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
