import type { Socket } from 'node:net';
import { isError, readThrown } from '../../server-runtime/errors/failure.ts';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import type { ServedRoute, TransportStarted } from '../../server-runtime/server/transport.ts';
import type { CodeNote, HooksOrder } from '../load/hooks/code-note.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { Certificate } from './answer-unavailable.ts';
import type { JobNews, JobQuestions } from './job-watch.ts';
import type { CodeAhead } from './supervisor-options.ts';

/** A public address as messages name it: `':3000'`, `'127.0.0.1:3000'`, `'own :3000'`, as the server asked. */
export type AddressName = string;

export interface Connection {
  readonly address: AddressName;
  readonly socket: Socket;
}

/** An address that a server asks for. */
export interface AskedAddress extends ListenAddress {
  /** Whether it is as the code says, whatever the options of the command. */
  readonly isOwn?: boolean | undefined;
  /** With which to answer while there is no server. */
  readonly certificate?: Certificate | undefined;
}

export function toAddressName({ host, port, isOwn = false }: AskedAddress): AddressName {
  return `${isOwn ? 'own ' : ''}${host ?? ''}:${port}`;
}

/** Whether the code has opened an address by itself. */
export function isOwnAddress(name: AddressName): boolean {
  return name.startsWith('own ');
}

/** The messages of the supervisor to a child. A `connection` comes with its socket. */
export type ServerOrder =
  /** Imports and tries out packages that the code will import, and compiles files, before the code comes. */
  | ({ readonly kind: 'warm' } & CodeAhead)
  | {
      readonly kind: 'load';
      readonly url: string;
      readonly environment: ServerEnvironment;
      readonly records: Recording;
      /** The addresses that are open already: a server there need not wait for `opened`. */
      readonly ports: OpenPorts;
      readonly inspector: InspectorAddress | undefined;
      readonly hooks: Omit<HooksOrder, 'files'>;
      /** The names of hosts that requests may be for, besides those of this machine. */
      readonly allowedHosts: readonly string[];
    }
  | { readonly kind: 'inspect'; readonly inspector: InspectorAddress }
  /** The port is open: the answer to `listen`, for an address that was not open at the `load`. */
  | { readonly kind: 'opened'; readonly address: AddressName; readonly at: OpenPort }
  /** The other answer, for an address that the code opens by itself. */
  | { readonly kind: 'refused'; readonly address: AddressName; readonly error: ThrownError }
  | { readonly kind: 'connection'; readonly address: AddressName };

/** The questions of the supervisor to a child. */
export type ServerQuestions = JobQuestions & {
  /**
   * Another child answers from now on, at these ports, or is to start when this one has ended: nowhere yet. It tells
   * when it answers no request itself any more; the answer comes when no connection is left.
   */
  readonly drain: { readonly question: OpenPorts; readonly progress: 'diverted'; readonly answer: void };
  /** Cuts off the requests of this code that still run. */
  readonly cut: { readonly question: void; readonly progress: never; readonly answer: CutAnswer };
  /** It is about to be sent SIGTERM: ends streams of events, where the code has no way of its own to end. */
  readonly 'end-streams': { readonly question: void; readonly progress: never; readonly answer: void };
  /** A debugger may connect no longer; answered when the port is free. */
  readonly 'end-inspecting': { readonly question: void; readonly progress: never; readonly answer: void };
};

export interface CutAnswer {
  readonly requests: readonly CutRequest[];
  /** Whether it has connections, and newer code answers what comes on them. */
  readonly passesOn: boolean;
}

/** The place where a debugger connects, on the loopback address. */
export interface InspectorAddress {
  readonly port: number;
  readonly waits: boolean;
}

/** The address at which clients reach a server. */
export interface OpenPort {
  /** As it was asked for, or `localhost`, which means every loopback address. */
  readonly host: string;
  readonly port: number;
}

export type OpenPorts = Readonly<Record<AddressName, OpenPort>>;

/** The detail in which requests are recorded: nothing, a line for each, or also what up to 100 a second carried. */
export type Recording = 'nothing' | 'lines' | 'details';

/** Variables that are set before the code is loaded. */
export type ServerEnvironment = Readonly<Record<string, string>>;

/** The messages of a child to the supervisor. */
export type ServerMessage =
  | { readonly kind: 'listen'; readonly address: AskedAddress }
  | { readonly kind: 'close'; readonly address: AddressName }
  /** After `connection`: it has it. */
  | { readonly kind: 'taken' }
  /** The code is imported, with all that it awaits on its top level. */
  | { readonly kind: 'loaded' }
  /** The code listens, and goes on loading for a second: it may wait for ever. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'starting' }
  /** It came to no good end; the code may go on. */
  | { readonly kind: 'not-started' }
  | { readonly kind: 'started'; readonly running: readonly TransportStarted[] }
  /** A server of the code's own may call a handler with these routes. */
  | { readonly kind: 'mounted'; readonly routes: readonly ServedRoute[] }
  /** The code listens by itself: at a TCP port, or where that is missing at a socket file. `isAny`: a free port. */
  | { readonly kind: 'listening'; readonly port?: number | undefined; readonly isAny: boolean }
  | { readonly kind: 'code'; readonly notes: readonly CodeNote[] }
  /** Requests that have ended. Only where they are recorded. */
  | { readonly kind: 'requests'; readonly requests: readonly RequestRecord[] }
  | JobNews
  /** The code threw: while it was loaded, or later. The process ends. */
  | { readonly kind: 'failed'; readonly during: 'load' | 'run'; readonly error: ThrownError };

export interface ServerProtocol {
  readonly order: ServerOrder;
  readonly note: ServerMessage;
  readonly questions: ServerQuestions;
}

/** A request that had no answer yet, or not all of it, when its connection was closed. */
export interface CutRequest {
  readonly method: string;
  readonly url: string;
  readonly durationMs: number;
}

/** A thrown value as it travels. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** With source-mapped frames; empty where a value that is not an error was thrown. */
  readonly stack: string;
  readonly code?: string | undefined;
  readonly port?: number | undefined;
  /** Whether it is about the address that `--port` replaces. */
  readonly isFirst?: boolean | undefined;
  /** The call that the system refused: `'bind'`, `'open'`. */
  readonly syscall?: string | undefined;
  /** The path that a call of the system was about, as the code gave it. */
  readonly path?: string | undefined;
}

export function toThrownError(thrown: unknown): ThrownError {
  const { name, message, stack = '' } = readThrown(thrown);
  const { code, port, path, syscall }: Partial<ThrownError> = isError(thrown) ? thrown : {};
  return { name, message, stack, code: typeof code === 'string' ? code : undefined, port, path, syscall };
}

/** An event of a server besides starting and ending, for people to know. */
export type ServeNotice =
  /** These requests had begun when their version was ended. */
  | { readonly code: 'RequestsCut'; readonly requests: readonly CutRequest[] }
  /** The process did not end in the time that it had. */
  | { readonly code: 'Killed'; readonly graceMs: number }
  /** The version before is from now on ended before the next one starts. */
  | { readonly code: 'StopsFirst'; readonly reason: string };
