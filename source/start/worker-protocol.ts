import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child-channel.ts';

export interface WorkerProtocol {
  /** The messages of `capix start` to a process that runs the server. */
  readonly order:
    | { readonly kind: 'stop' }
    /** Another process has taken over: no more connections, an end when those that are open have ended. */
    | { readonly kind: 'drain' }
    /** The answer to `closed`: the process has been given every connection that it will be given. */
    | { readonly kind: 'released' }
    /** The answer to `gather`: the metrics of every process that answered. */
    | { readonly kind: 'gathered'; readonly id: number; readonly metrics: readonly unknown[] };
  /** The messages of a process that runs the server. */
  readonly note:
    | { readonly kind: 'started'; readonly running: readonly TransportStarted[] }
    /** It listens to orders from now on. */
    | { readonly kind: 'connected' }
    /** The code has made a server of capix, which will tell when it has started. */
    | { readonly kind: 'created' }
    /** The ports of the process are closed. It hands back a connection that was on its way, for another one. */
    | { readonly kind: 'closed' }
    /** Asks for the metrics of that name of every process. */
    | { readonly kind: 'gather'; readonly id: number; readonly name: string };
  readonly questions: {
    /** The metrics of one process by their name; undefined where it has none. */
    readonly metrics: { readonly question: string; readonly progress: never; readonly answer: unknown };
    /** Whether its inspector is open. A process answers when its event loop turns. */
    readonly heartbeat: { readonly question: undefined; readonly progress: never; readonly answer: boolean };
  };
}

/** The time after which a draining process ends what is open, milliseconds: as long as idle connections live. */
export const MAX_DRAIN_MS = 75_000;

/** A process that was started to serve. */
export interface Worker {
  readonly pid: number;
  readonly ready: Promise<readonly TransportStarted[]>;
  readonly ended: Promise<WorkerEnd>;
  /** Another one has taken over. Resolves when it is given no more connections, or is gone. */
  readonly drain: () => Promise<unknown>;
  readonly stop: () => void;
}

/** The end of a process; `reason` is the option whose time was over, where the command killed it. */
export interface WorkerEnd extends ProcessExit {
  readonly reason?: 'start-timeout' | 'hang-timeout' | 'stop-grace';
}
