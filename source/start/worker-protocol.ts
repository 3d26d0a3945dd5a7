import type { TransportStarted } from '../../server-runtime/server/transport.ts';

/** The messages of `capix start` to a process that runs the server. */
export type WorkerOrder =
  /** Another process has taken over: no more connections, an end when those that are open have ended. */
  | { readonly kind: 'drain' }
  /** The command ends. */
  | { readonly kind: 'stop' };

/** The messages of a process that runs the server. */
export type WorkerNote =
  /** The code has made a server of capix, which will tell when it has started. */
  { readonly kind: 'created' } | { readonly kind: 'started'; readonly running: readonly TransportStarted[] };

export interface WorkerProtocol {
  readonly order: WorkerOrder;
  readonly note: WorkerNote;
  readonly questions: Readonly<Record<never, never>>;
}

/** The time after which a process that drains ends what is still open, milliseconds: it waits no longer than idle connections live. */
export const MAX_DRAIN_MS = 75_000;
