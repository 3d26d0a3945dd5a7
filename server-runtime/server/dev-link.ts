import type { Server } from 'node:net';
import type { Observer } from '../capability/run-capability.ts';
import type { Application } from './application.ts';
import type { JobBoard } from './job.ts';
import type { ServedRoute, TransportStarted } from './transport.ts';

const DEV_LINK: unique symbol = Symbol.for('capix.devLink');

export interface ListenAddress {
  readonly port: number;
  readonly host?: string | undefined;
}

export type MetricsReader = () => Promise<unknown>;

/** Set on `globalThis` by `capix dev` and `capix start` in a process that runs a server, before it loads the server. */
export interface DevLink {
  /** Stands in for `server.listen`, so that no connection is refused while one process follows another. */
  readonly listen?: (
    server: Server,
    address: ListenAddress,
  ) => Promise<{ port: number; host: string }>;
  /** Called with each server that answers requests, before it listens or not. */
  readonly follow?: (server: Server) => void;
  /**
   * Shares the metrics of this process under a name, as JSON; returns the function that reads those of all processes.
   */
  readonly shareMetrics?: (name: string, read: MetricsReader) => () => Promise<readonly unknown[]>;
  readonly starting?: (start: Promise<unknown>) => void;
  /** Called once all transports have started, in place of the lines on the log. */
  readonly started: (running: readonly TransportStarted[]) => void;
  readonly mounted?: (routes: readonly ServedRoute[]) => void;
  readonly replaced: AbortSignal;
  /** The application to run: as it is, or one that records its calls. */
  readonly observe: (app: Application) => Application;
  /** Looks at the steps of the calls of a server, for their times. A server calls it while it is made. */
  readonly observer?: Observer | undefined;
  /** Under `capix dev`: whether a page of this origin may call a server whose code declares no origins. */
  readonly allowsOrigin?: (origin: string, host: string | undefined) => boolean;
  /** Watches jobs from now on; returns the function that ends that. */
  readonly watchJobs?: (board: JobBoard) => () => void;
}

export function findDevLink(): DevLink | undefined {
  return (globalThis as { [DEV_LINK]?: DevLink })[DEV_LINK];
}

/**
 * A signal that fires when `capix dev` or `capix start` puts a newer process in place of this one, while requests that
 * have begun are still answered: timers and pollers stop then. Elsewhere it never fires.
 */
export function replacedSignal(): AbortSignal {
  return findDevLink()?.replaced ?? new AbortController().signal;
}
