import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { CodeNote, HooksOrder } from '../load/hooks/code-note.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { ProcessExit } from '../system/child-channel.ts';
import type { DebuggerPortOptions } from './debugger-port.ts';
import type { JobNews } from './job-watch.ts';
import type {
  AddressName,
  AskedAddress,
  InspectorAddress,
  OpenPort,
  OpenPorts,
  Recording,
  ServeNotice,
  ServerEnvironment,
  ThrownError,
} from './server-message.ts';
import type { ServerProcessOptions, startServerProcess } from './start-server-process.ts';

export interface SupervisorOptions
  extends Omit<RunnerOptions, 'openPort' | 'onPortClosed' | 'onLateStart'>,
    DebuggerPortOptions {
  /** Port in place of the one that the server asks for first. */
  readonly port?: number | undefined;
  /** Host in place of the server's first, and for those that ask for none. @default the loopback addresses */
  readonly host?: string | undefined;
  /** Whether what answers ends before its successor starts. @default where a start failed on what one can have */
  readonly stopsFirst?: boolean | undefined;
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

export interface RunnerOptions extends Omit<ServerProcessOptions, 'onMessage'> {
  /** @default a process of Node */
  readonly startProcess?: typeof startServerProcess;
  /** Opens a public port; gives what clients use. */
  readonly openPort: (address: AskedAddress) => Promise<OpenPort>;
  readonly onPortClosed: (address: AddressName) => void;
  /** The time that the server may take to end when it is told to, milliseconds. */
  readonly graceMs: number;
  readonly onNotice: (notice: ServeNotice) => void;
  /** The process is told to end; `ended` resolves when it has. */
  readonly onEnding: (ended: Promise<void>) => void;
  readonly records: Recording;
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** A server has started after the process was found ready: there are more addresses and routes. */
  readonly onLateStart: () => void;
  readonly onCode: (notes: readonly CodeNote[]) => void;
  readonly onRequests: (requests: readonly RequestRecord[]) => void;
  readonly onJobNews: (news: JobNews) => void;
}

export interface ServerCode {
  readonly url: string;
  /** Added to the environment of the process. */
  readonly environment: ServerEnvironment;
  /** All that it imports from outside of the project: URLs, paths, names of modules of Node. */
  readonly imports: readonly string[];
  readonly hooks: Omit<HooksOrder, 'files'>;
}

/** The needs that the next code will probably have. */
export interface CodeAhead {
  /** Packages to import, as URLs. */
  readonly modules: readonly string[];
  /** Files to compile, as absolute paths. */
  readonly files: readonly string[];
}

export interface RunConditions {
  readonly signal: AbortSignal;
  readonly ports: OpenPorts;
  readonly inspector?: InspectorAddress | undefined;
}

/** The outcome of a start. Unless `ready`, the process is of no more use. */
export type RunOutcome =
  | { readonly kind: 'ready' }
  /** `error` is undefined where the process ended without one. */
  | {
      readonly kind: 'failed';
      readonly during: 'load' | 'run';
      readonly error: ThrownError | undefined;
      readonly exit: ProcessExit | undefined;
    }
  | { readonly kind: 'abandoned' };
