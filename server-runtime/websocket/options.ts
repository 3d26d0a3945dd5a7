import { expectKind } from '../capability/definition.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { GUARD, type Guard } from '../capability/guard.ts';
import { expectNoParams } from '../capability/guard-call.ts';
import {
  expectInteger,
  expectKnownOptions,
  expectTimeout,
  type OptionNames,
} from '../errors/expect-options.ts';
import { toPrefix } from '../routing/path-pattern.ts';
import type { WebSocketObject } from '../server/guests.ts';

/** The options of serving capabilities over WebSockets. `Own` are capabilities of this transport. */
export interface WebSocketOptions<Own extends GroupTree = GroupTree> {
  /** The path of the connection, behind the prefix of the transport that listens. @default '/_call' */
  readonly path?: string | undefined;
  /** The guards of connections: all of them must let a caller pass. Calls have their own guards. @default none */
  readonly guards?: readonly Guard[] | undefined;
  /** The time after which the guards of open streams run again, milliseconds; 0 never. @default 300000 */
  readonly recheckMs?: number | undefined;
  /** Compresses messages of 1 KiB and more, at up to 250 KiB of memory a connection. @default false */
  readonly compression?: boolean | undefined;
  /** Limits of messages, calls and connections. */
  readonly limits?: WebSocketLimits | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

/** The limits of connections. Times are milliseconds. */
export interface WebSocketLimits {
  /** The longest message, bytes; a longer one closes the connection with 1009. @default 1048576 (1 MiB) */
  readonly maxMessageSize?: number | undefined;
  /** The most calls and streams of a connection at a time; further ones are 429. @default 100 */
  readonly calls?: number | undefined;
  /** The most calls of a connection in a second: one with more is read more slowly. @default no limit */
  readonly callsPerSecond?: number | undefined;
  /** The most connections of one address; further ones are closed with 1013. @default no limit */
  readonly connections?: number | undefined;
  /** The time after which a connection without calls is closed; 0 never. @default 0 */
  readonly idleMs?: number | undefined;
  /** The time between two pings. A client that has not answered one by the next is disconnected. @default 30000 */
  readonly pingMs?: number | undefined;
  /** How long a caller may leave waiting bytes untouched before its connection ends. @default 60000 */
  readonly slowReaderMs?: number | undefined;
}

export interface WebSocketSettings {
  readonly path: string;
  readonly guards: readonly Guard[];
  readonly recheckMs: number;
  readonly compression: boolean;
  readonly limits: { readonly [Name in keyof WebSocketLimits]-?: number };
}

const optionNames: OptionNames<WebSocketOptions> = {
  path: true,
  guards: true,
  recheckMs: true,
  compression: true,
  limits: true,
  capabilities: true,
};

/** The limits by default. A limit of infinity is none. */
const usualLimits: WebSocketSettings['limits'] = {
  maxMessageSize: 1024 * 1024,
  calls: 100,
  callsPerSecond: Number.POSITIVE_INFINITY,
  connections: Number.POSITIVE_INFINITY,
  idleMs: 0,
  pingMs: 30_000,
  slowReaderMs: 60_000,
};

/** @throws TypeError or RangeError that names the option, its value and the values that are allowed */
export function toWebSocketSettings(options: WebSocketOptions): WebSocketSettings {
  expectKnownOptions('webSocketTransport', options, optionNames);
  const { path = '/_call', recheckMs = 300_000, compression, limits = {} } = options;
  const pattern = toPrefix(path);
  if (pattern === '')
    throw new TypeError("webSocketTransport path: expected a path such as '/_call', got '/'.");
  return {
    path: pattern,
    guards: toGuards(options),
    recheckMs: expectTime('recheckMs', recheckMs),
    compression: Boolean(compression),
    limits: toLimits(limits),
  };
}

/** The subprotocols by the form of data: plain JSON, and for `createClient` what devalue flattens. */
const PROTOCOLS = ['capix.v1', 'capix.v1.flat'] as const;

/** The connection as the document of its host names it. */
export function toWebSocketObject(
  { path, guards, limits }: WebSocketSettings,
  prefix: string,
): WebSocketObject {
  const { pingMs: _beat, slowReaderMs: _patience, ...noticed } = limits;
  const named = Object.entries(noticed).filter((limit) => limit[1] > 0 && limit[1] < Infinity);
  return {
    path: prefix + path,
    protocols: PROTOCOLS,
    security: guards.flatMap(({ security }) => security),
    limits: Object.fromEntries(named),
  };
}

/** @throws TypeError for guards that are named and are none, as one from a configuration may be undefined */
function toGuards(options: WebSocketOptions): readonly Guard[] {
  if (!('guards' in options)) return [];
  const wanted = 'webSocketTransport guards: expected a list of what defineGuard(…) makes';
  const guards = expectKind<readonly Guard[]>(options.guards, Array.isArray, wanted);
  for (const guard of guards) expectKind(guard, (value) => GUARD in Object(value), wanted);
  expectNoParams('webSocketTransport', guards);
  return guards;
}

function toLimits(limits: WebSocketLimits): WebSocketSettings['limits'] {
  expectKnownOptions('webSocketTransport({limits})', limits, usualLimits);
  const named = Object.entries(limits).filter((limit) => limit[1] !== undefined);
  for (const [name, value] of named as [string, number][]) {
    if (name === 'idleMs') expectTime('limits.idleMs', value);
    else if (name.endsWith('Ms')) expectTimeout(value, `webSocketTransport limits.${name}`);
    else expectInteger(`webSocketTransport limits.${name}`, value, { min: 1 });
  }
  return { ...usualLimits, ...Object.fromEntries(named) };
}

/** A time, or 0 for never. */
function expectTime(name: string, value: number): number {
  return value === 0 ? 0 : expectTimeout(value, `webSocketTransport ${name}`);
}
