import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child/child-channel.ts';

/** A process that was started to serve. */
export interface Worker {
  readonly pid: number;
  /** Resolves when it serves. */
  readonly ready: Promise<readonly TransportStarted[]>;
  /** Resolves when it is gone. */
  readonly ended: Promise<WorkerEnd>;
  /** Another one has taken over. Resolves when it is given no more connections, or is gone. */
  readonly drain: () => Promise<unknown>;
  readonly stop: () => void;
}

/** The end of a process; `reason` is the option whose time was over, where the command killed it. */
export interface WorkerEnd extends ProcessExit {
  readonly reason?: 'start-timeout' | 'hang-timeout' | 'stop-grace';
}
