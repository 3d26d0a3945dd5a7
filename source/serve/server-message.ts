import type { Socket } from 'node:net';
import { isError, readThrown } from '../../server-runtime/errors/failure.ts';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { CodeNote, HooksOrder } from '../load/hooks/code-note.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { ProcessExit } from '../system/child-channel.ts';
import type { Question } from '../values/protocol.ts';
import type { Certificate } from './answer-unavailable.ts';
import type { JobReport } from './job-watch.ts';

/** An address as a server wants it: `':3000'`, `'127.0.0.1:3000'`, `'own :3000'`. */
export type AddressName = string;

export interface CodeAddress extends ListenAddress {
  /** Whether the code opens it by itself: then it is as the code says, whatever the options of the command. */
  readonly isOwn: boolean;
  /** With which to answer while there is no server. */
  readonly certificate?: Certificate | undefined;
}

export function toAddressName({ host, port, isOwn }: CodeAddress): AddressName {
  return `${isOwn ? 'own ' : ''}${host ?? ''}:${port}`;
}

/**
 * A place where clients connect, as the supervisor names it: the address that the code wants, after `--port` and
 * `--host`. Versions of the code that want different addresses share a place that an option gives to both.
 */
export type PlaceName = string;

/** Whether the code opened it by itself. */
export function isOwnPlace(place: PlaceName): boolean {
  return place.startsWith('own ');
}

export interface Connection extends Pick<CodeAddress, 'certificate'> {
  readonly place: PlaceName;
  readonly socket: Socket;
}

/** The address at which clients reach a server; `host` may be `localhost`, which means every loopback address. */
export interface OpenPort {
  readonly host: string;
  readonly port: number;
}

/** By address for the process that wants it, and by place for the supervisor. */
export type OpenPorts = Readonly<Record<AddressName | PlaceName, OpenPort>>;

/** The needs that the next code will probably have. */
export interface CodeAhead {
  /** URLs of capix and zod, which are tried out. */
  readonly modules: readonly string[];
  /** Paths of files to compile. */
  readonly files: readonly string[];
  /** URLs of other packages to import. */
  readonly packages: readonly string[];
  /** The variables of the env files, which packages see. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Whether packages were loaded ahead as code would load them now; `failed`: one of them threw. */
export type PreloadState = 'fresh' | 'stale' | 'failed';

export interface ServerCode {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hooks: Omit<HooksOrder, 'files'>;
}

export interface LoadOptions {
  /** The detail in which requests are recorded: not at all, or a line for each and what up to 100 a second carried. */
  readonly records: 'nothing' | 'details';
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
}

/**
 * The messages of the supervisor to a child. A `connection` comes with its socket, and `accept` with one that listens.
 */
export type ServerOrder =
  /** Does what the code will need before it comes. */
  | ({ readonly kind: 'warm' } & CodeAhead)
  | ({ readonly kind: 'load' } & ServerCode & LoadOptions)
  /** A debugger may connect, on the loopback address; the code waits for it where it `waits`. */
  | { readonly kind: 'inspect'; readonly port: number; readonly waits: boolean }
  | { readonly kind: 'opened'; readonly address: AddressName; readonly at: OpenPort }
  | { readonly kind: 'refused'; readonly address: AddressName; readonly error: ThrownError }
  | { readonly kind: 'connection'; readonly address: AddressName }
  /** Takes connections by itself from now on; `id`: of the listening socket. */
  | { readonly kind: 'accept'; readonly address: AddressName; readonly id: number };

export type ServerOrderOf<Kind extends ServerOrder['kind']> = Extract<
  ServerOrder,
  { readonly kind: Kind }
>;

export type ServerQuestions = {
  readonly drain: DrainQuestion;
  /** Ends what its code has not finished; `closesQuiet`: and connections on which nothing is under way. */
  readonly cut: Question<{ readonly closesQuiet: boolean }, CutAnswer>;
  /** It is about to be sent SIGTERM: ends streams of events, where the code has no way of its own to end. */
  readonly 'end-streams': Question<void, void>;
  /** A debugger may connect no longer; answered when the port is free. */
  readonly 'end-inspecting': Question<void, void>;
  readonly 'preload-state': Question<void, PreloadState>;
  /** Tries a failed job again; false where there is none of this id. */
  readonly 'retry-job': Question<{ readonly key: string; readonly id: string }, boolean>;
};

/**
 * Another process answers at these ports. The supervisor sends this when that process answers nothing new, and gets an
 * answer when nothing is left.
 */
export type DrainQuestion = Question<OpenPorts, void, 'diverted'>;

export interface CutAnswer {
  /** Requests that had no answer yet, or not all of it, when their connections were closed. */
  readonly requests: readonly CutRequest[];
  /** Whether it has connections, and newer code answers what comes on them. */
  readonly passesOn: boolean;
}

export type CutRequest = Pick<RequestRecord, 'method' | 'url' | 'durationMs'>;

export interface ReadyOutcome {
  readonly kind: 'ready';
  readonly running: readonly TransportStarted[];
  /** The ports of servers that the code opens by itself; `running` has those of capix. */
  readonly ports: readonly number[];
  /** Whether packages may be loaded before this code: it changes neither variables nor the loading of modules. */
  readonly isRepeatable: boolean;
}

/** The outcome of an attempt to run code. Unless `ready`, its process is of no more use. */
export type ServeOutcome =
  | ReadyOutcome
  | {
      readonly kind: 'failed';
      readonly during: 'load' | 'run';
      /** Undefined where the process ended without one. */
      readonly error: ThrownError | undefined;
      readonly exit: ProcessExit | undefined;
    }
  | { readonly kind: 'abandoned' };

export type ServerMessage =
  | { readonly kind: 'listen'; readonly address: CodeAddress }
  | { readonly kind: 'close'; readonly address: AddressName }
  /** After `connection`: it has it. */
  | { readonly kind: 'taken' }
  /** After `accept`: it does so. The listening socket comes with it once more, for the supervisor to hold it open. */
  | { readonly kind: 'accepts'; readonly id: number }
  /** Comes again when the code has opened more. `listensItself`: its successor may need a place that it has. */
  | (ReadyOutcome & { readonly hasStarted: boolean; readonly listensItself: boolean })
  | { readonly kind: 'code'; readonly notes: readonly CodeNote[] }
  | { readonly kind: 'requests'; readonly requests: readonly RequestRecord[] }
  | JobReport
  /** The code threw: while it was loaded, or later. The process ends. */
  | { readonly kind: 'failed'; readonly during: 'load' | 'run'; readonly error: ThrownError };

export type ServerMessageOf<Kind extends ServerMessage['kind']> = Extract<
  ServerMessage,
  { readonly kind: Kind }
>;

/** A line that the process writes at its end, past the channel. */
export type LastMessage = ServerMessageOf<'failed' | 'requests'>;

export interface ServerProtocol {
  readonly order: ServerOrder;
  readonly note: ServerMessage;
  readonly questions: ServerQuestions;
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
  return {
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    port,
    path,
    syscall,
  };
}

/** An event of a server besides starting and ending, for people to know. */
export type ServeNotice =
  | { readonly code: 'RequestsCut'; readonly requests: readonly CutRequest[] }
  | { readonly code: 'Killed'; readonly graceMs: number }
  /** The version before is from now on ended before the next one starts. */
  | { readonly code: 'StopsFirst'; readonly reason: string };
