import type { Socket } from 'node:net';
import { isError, readThrown } from '../../server-runtime/errors/failure.ts';
import type { ListenAddress } from '../../server-runtime/server/dev-link.ts';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { CodeNote, HooksOrder } from '../load/hooks/code-note.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { Certificate } from './answer-unavailable.ts';
import type { JobNews } from './job-watch.ts';

/** A public address as messages name it: `':3000'`, `'127.0.0.1:3000'`, `'own :3000'`, as the server asked. */
export type AddressName = string;

/** An address that a server asks for. */
export interface AskedAddress extends ListenAddress {
  /** Whether the code opens it by itself: then it is as the code says, whatever the options of the command. */
  readonly isOwn: boolean;
  /** With which to answer while there is no server. */
  readonly certificate?: Certificate | undefined;
}

export function toAddressName({ host, port, isOwn }: AskedAddress): AddressName {
  return `${isOwn ? 'own ' : ''}${host ?? ''}:${port}`;
}

export function isOwnAddress(name: AddressName): boolean {
  return name.startsWith('own ');
}

export interface Connection {
  readonly address: AddressName;
  readonly socket: Socket;
  /** With which to answer while there is no server. */
  readonly certificate: Certificate | undefined;
}

/** The address at which clients reach a server; `host` may be `localhost`, which means every loopback address. */
export interface OpenPort {
  readonly host: string;
  readonly port: number;
}

export type OpenPorts = Readonly<Record<AddressName, OpenPort>>;

/** The detail in which requests are recorded: nothing, a line for each, or also what up to 100 a second carried. */
export type Recording = 'nothing' | 'lines' | 'details';

/** The needs that the next code will probably have: packages to import, as URLs, and files to compile, as paths. */
export interface CodeAhead {
  readonly modules: readonly string[];
  readonly files: readonly string[];
}

export interface ServerCode {
  readonly url: string;
  /** Added to the environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly hooks: Omit<HooksOrder, 'files'>;
}

export interface LoadOptions {
  readonly records: Recording;
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
}

/** The messages of the supervisor to a child. A `connection` comes with its socket. */
export type ServerOrder =
  /** Imports and tries out packages that the code will import, and compiles files, before the code comes. */
  | ({ readonly kind: 'warm' } & CodeAhead)
  /** `ports` are open already: a server there need not wait for `opened`. */
  | ({ readonly kind: 'load'; readonly ports: OpenPorts } & ServerCode & LoadOptions)
  /** A debugger may connect, on the loopback address; the code waits for it where it `waits`. */
  | { readonly kind: 'inspect'; readonly port: number; readonly waits: boolean }
  | { readonly kind: 'opened'; readonly address: AddressName; readonly at: OpenPort }
  | { readonly kind: 'refused'; readonly address: AddressName; readonly error: ThrownError }
  | { readonly kind: 'connection'; readonly address: AddressName };

/** The questions of the supervisor to a child. */
export type ServerQuestions = {
  /**
   * Another child answers from now on, at these ports, or is to start when this one has ended: nowhere yet. It tells
   * when it answers no request itself any more; the answer comes when no connection is left.
   */
  readonly drain: Question<OpenPorts, void, 'diverted'>;
  /** Cuts off the requests of this code that still run. */
  readonly cut: Question<void, CutAnswer>;
  /** It is about to be sent SIGTERM: ends streams of events, where the code has no way of its own to end. */
  readonly 'end-streams': Question<void, void>;
  /** A debugger may connect no longer; answered when the port is free. */
  readonly 'end-inspecting': Question<void, void>;
  /** Tries a failed job again; false where there is none of this id. */
  readonly 'retry-job': Question<{ readonly key: string; readonly id: string }, boolean>;
};

interface Question<Asked, Answer, Progress = never> {
  readonly question: Asked;
  readonly answer: Answer;
  readonly progress: Progress;
}

export interface CutAnswer {
  readonly requests: readonly CutRequest[];
  /** Whether it has connections, and newer code answers what comes on them. */
  readonly passesOn: boolean;
}

/** A request that had no answer yet, or not all of it, when its connection was closed. */
export interface CutRequest {
  readonly method: string;
  readonly url: string;
  readonly durationMs: number;
}

/** The code has started. */
export interface ReadyOutcome {
  readonly kind: 'ready';
  readonly running: readonly TransportStarted[];
  /** The ports of servers that the code opens by itself; `running` has those of capix. */
  readonly ports: readonly number[];
}

/** The messages of a child to the supervisor. */
export type ServerMessage =
  | { readonly kind: 'listen'; readonly address: AskedAddress }
  | { readonly kind: 'close'; readonly address: AddressName }
  /** After `connection`: it has it. */
  | { readonly kind: 'taken' }
  /** Comes again when the code has opened more. `listensItself`: its successor may need a place that it has. */
  | (ReadyOutcome & { readonly hasStarted: boolean; readonly listensItself: boolean })
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
