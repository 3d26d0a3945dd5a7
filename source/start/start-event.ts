import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child/child-channel.ts';

/** One process of the server. */
export interface WorkerName {
  /** A number from 1; the process that replaces another has the same. */
  readonly worker: number;
  /** The id of the process. */
  readonly pid: number;
}

/** The events of `capix start`. */
export type StartEvent =
  /** Every process serves. */
  | { readonly kind: 'ready'; readonly running: readonly TransportStarted[]; readonly workers: readonly WorkerName[] }
  /** A process has ended by itself; another one starts after `restartMs` milliseconds. */
  | ({ readonly kind: 'worker-ended'; readonly restartMs: number } & WorkerName & ProcessExit)
  /** The one that replaces it serves. */
  | ({ readonly kind: 'worker-started' } & WorkerName)
  /** All processes are replaced, one by one. */
  | { readonly kind: 'restarting' }
  | { readonly kind: 'restarted'; readonly workers: readonly WorkerName[] }
  /** The first process of the new code has ended before it served; those that serve stay. */
  | ({ readonly kind: 'restart-failed' } & WorkerName & ProcessExit)
  | { readonly kind: 'stopping' };
