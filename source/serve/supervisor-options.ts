import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child/child-channel.ts';
import type { DebuggerPortOptions } from './debugger/debugger-port.ts';
import type { startOrphanGuard } from './orphan-guard.ts';
import type { RunnerOptions, RunOutcome } from './runner/runner-options.ts';
import type { ThrownError } from './server-message.ts';

export interface SupervisorOptions
  extends Omit<RunnerOptions, 'openPort' | 'onPortClosed' | 'onLateStart'>,
    DebuggerPortOptions {
  /** Port in place of the one that the server asks for first. */
  readonly port?: number | undefined;
  /** Host in place of the server's first, and for those that ask for none. @default the loopback addresses */
  readonly host?: string | undefined;
  /** @default a process that ends the others when this one is gone */
  readonly startGuard?: typeof startOrphanGuard;
  /** Whether what answers ends before its successor starts. @default where a start failed on what one can have */
  readonly stopsFirst?: boolean | undefined;
  /** Whether a process is kept booted for the next code. */
  readonly keepsSpare: boolean;
  /** The code that answers has started more servers, after it was found ready. */
  readonly onLateStart: (outcome: ReadyOutcome) => void;
  /**
   * The server that answered has ended by itself; nobody answers now. `isToStartAgain`: it has failed on what the
   * version before it held, and would not any more.
   */
  readonly onExit: (exit: ProcessExit, error: ThrownError | undefined, isToStartAgain: boolean) => void;
}

/** The outcome of an attempt to run code. Unless `ready`, what answered before still answers. */
export type ServeOutcome = ReadyOutcome | Exclude<RunOutcome, { readonly kind: 'ready' }>;

export interface ReadyOutcome {
  readonly kind: 'ready';
  readonly running: readonly TransportStarted[];
  /** The ports of servers that the code opens by itself; `running` has those of capix. */
  readonly ports: readonly number[];
}
