import { removeCache, writeCache } from '../files/project-cache.ts';
import { DEV_JOURNAL } from '../files/server-state.ts';
import type { DevEvent } from './dev-event.ts';
import { toDevJson } from './dev-json.ts';

/** Keeps the last events where other processes find them, so that an agent can read log and requests. */
export interface DevJournal {
  readonly take: (event: DevEvent) => void;
  readonly end: () => Promise<void>;
}

/** The events that are kept: enough to see what a call did. */
const MAX_EVENTS = 200;
/** A busy server is written about as often as a reader may look, not at each request, milliseconds. */
const WRITE_MS = 200;

/** A folder that cannot be written keeps nobody from working. */
export function createJournal(root: string): DevJournal {
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
