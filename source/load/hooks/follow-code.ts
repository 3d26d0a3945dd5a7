import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { BroadcastChannel } from 'node:worker_threads';
import type { CodeNote } from './code-note.ts';
import { type InstalledHooks, installHooks } from './install-hooks.ts';

export const THREADS = 'capix.code';
/** Node gives messages with such a command to nobody's listeners for messages. */
export const COMMAND = 'NODE_CAPIX_CODE';

/** Gets what the hooks of this child, its threads and its own children tell. `flush` tells the rest at once. */
export function followCode(
  onNotes: (notes: readonly CodeNote[]) => void,
): InstalledHooks & { readonly flush: () => void } {
  const hooks = installHooks();
  const flush = (): void => {
    const notes = hooks.notes();
    if (notes.length > 0) onNotes(notes);
  };
  hooks.onNote = () => void setImmediate(flush);
  const threads = new BroadcastChannel(THREADS);
  threads.onmessage = (event) => onNotes((event as { readonly data: readonly CodeNote[] }).data);
  threads.unref();
  subscribe('child_process', (started) => {
    const { process } = started as { readonly process: ChildProcess };
    process.on(
      'internalMessage',
      (message: { readonly cmd?: unknown; readonly notes?: readonly CodeNote[] }) => {
        if (message.cmd === COMMAND) onNotes(message.notes ?? []);
      },
    );
  });
  return Object.assign(hooks, { flush });
}
