import { removeCache, writeCache } from '../../files/project-cache.ts';
import { DEV_JOURNAL, removeServerState, type ServerState, writeServerState } from '../../files/server-state.ts';
import { ownProcessId } from '../../system/own-process-id.ts';
import type { DevEvent } from './dev-event.ts';
import { toDevJson } from './dev-json.ts';

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
  if (event.kind === 'ready') return 'ready';
  if (event.kind === 'exited') return 'down';
  if (event.kind !== 'failed' && event.kind !== 'port-taken') return undefined;
  return event.stillServing ? 'stale' : 'down';
}

/** The events that are kept: enough to see what a call did. */
const MAX_EVENTS = 200;
/** A busy server is written about as often as a reader may look, not at each request, milliseconds. */
const WRITE_MS = 200;

/** Keeps the last events where other processes find them, so that an agent can read log and requests. */
function createJournal(root: string): ServerTeller {
  let events: { readonly event: DevEvent; readonly time: Date }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  let written: Promise<void> = Promise.resolve();
  const write = (): void => {
    timer = undefined;
    const text = events.map(({ event, time }) => toDevJson(event, time)).join('');
    written = written.then(() => writeCache(root, DEV_JOURNAL, text)).catch(() => {});
  };
  return {
    take: (event) => {
      events.push({ event, time: new Date() });
      if (events.length > 2 * MAX_EVENTS) events = events.slice(-MAX_EVENTS);
      if (!hasEnded) timer ??= setTimeout(write, WRITE_MS).unref();
    },
    end: async () => {
      hasEnded = true;
      clearTimeout(timer);
      await written.then(() => removeCache(root, DEV_JOURNAL)).catch(() => {});
    },
  };
}
