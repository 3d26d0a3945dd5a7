import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { WorkerEnd } from './worker.ts';

/** One process of the server. */
export interface WorkerName {
  /** A number from 1; the process that replaces another has the same. */
  readonly worker: number;
  /** The id of the process. */
  readonly pid: number;
}

/** The events of `capix start`. */
export type StartEvent =
  /** The first process serves; `workers` are all that have started. */
  | { readonly kind: 'ready'; readonly running: readonly TransportStarted[]; readonly workers: readonly WorkerName[] }
  /** A process has ended, or was killed as `reason` says; another one starts after `restartMs` milliseconds. */
  | ({ readonly kind: 'worker-ended'; readonly restartMs: number } & WorkerName & WorkerEnd)
  /** Another process serves: one of the first, or one that replaces one that has ended. */
  | ({ readonly kind: 'worker-started' } & WorkerName)
  /** All processes are replaced, one by one. */
  | { readonly kind: 'restarting' }
  | { readonly kind: 'restarted'; readonly workers: readonly WorkerName[] }
  /** A process of the new code has ended before it served, or was killed as `reason` says; those that serve stay. */
  | ({ readonly kind: 'restart-failed' } & WorkerName & WorkerEnd)
  | { readonly kind: 'stopping' };
