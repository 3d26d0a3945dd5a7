import { removeServerState, type ServerState, writeServerState } from '../files/server-state.ts';
import { ownProcessId } from '../system/own-process-id.ts';
import { createJournal } from './create-journal.ts';
import type { DevEvent } from './dev-event.ts';

/** Tells other windows of the project how its server stands. */
export interface ServerTeller {
  readonly take: (event: DevEvent) => void;
  /** There is no server any more. */
  readonly end: () => Promise<void>;
}

/** A folder that cannot be written keeps nobody from working: then the others are not told. */
export function tellServerState(root: string): ServerTeller {
  const startedAt = Date.now();
  const journal = createJournal(root);
  let urls: readonly string[] = [];
  let told: Promise<void> = Promise.resolve();
  return {
    take: (event) => {
      journal.take(event);
      if (event.kind === 'ready') urls = event.urls;
      const phase = toPhase(event);
      if (phase === undefined) return;
      const state = { pid: ownProcessId, urls, startedAt, phase };
      told = told.then(() => writeServerState(root, state)).catch(() => {});
    },
    end: async () => {
      await journal.end();
      await told.then(() => removeServerState(root, ownProcessId)).catch(() => {});
    },
  };
}

function toPhase(event: DevEvent): ServerState['phase'] | undefined {
  switch (event.kind) {
    case 'ready':
      return 'ready';
    case 'failed':
    case 'port-taken':
      return event.stillServing ? 'stale' : 'down';
    case 'exited':
      return 'down';
    case 'starting':
    case 'own-writes':
    case 'notice':
    case 'watch-trouble':
    case 'requests':
    case 'jobs':
    case 'output':
      return undefined;
  }
}
