import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { expectInteger, expectKnownOptions, expectTimeout } from '../errors/expect-options.ts';
import { findLastResponse, startPatience } from './exchange.ts';
import { onConnection } from './node-http.ts';

/** The limits of a server that listens. Times are milliseconds. */
export interface LimitOptions {
  /** The most connections; further ones are closed at once. @default no limit */
  readonly connections?: number | undefined;
  /** The most requests of one connection; it ends with the last of them. @default no limit */
  readonly connectionRequests?: number | undefined;
  /** The time in which the head of a request arrives; then 408. @default 60000 */
  readonly headersTimeoutMs?: number | undefined;
  /** The time in which a whole request arrives; then 408. @default 300000 */
  readonly requestTimeoutMs?: number | undefined;
  /** How long an idle connection stays open. @default 5000 */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** How long a caller may leave waiting bytes untouched before its connection ends. @default 60000 */
  readonly slowReaderMs?: number | undefined;
}

/** The property of a server of node:http that holds a limit. */
const properties = {
  connections: 'maxConnections',
  connectionRequests: 'maxRequestsPerSocket',
  headersTimeoutMs: 'headersTimeout',
  requestTimeoutMs: 'requestTimeout',
  keepAliveTimeoutMs: 'keepAliveTimeout',
  slowReaderMs: 'timeout',
} as const satisfies Record<keyof LimitOptions, keyof HttpServer>;

/** The limits that are set, with the default of slow readers. */
export type Limits = LimitOptions & { readonly slowReaderMs: number };

/** @throws TypeError or RangeError that names the limit */
export function toLimits(options: LimitOptions = {}): Limits {
  expectKnownOptions('restTransport({limits})', options, properties);
  const limits = { ...options, slowReaderMs: options.slowReaderMs ?? 60_000 };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (name.endsWith('Ms')) expectTimeout(value, `restTransport limits.${name}`);
    else expectInteger(`restTransport limits.${name}`, value, { min: 1 });
  }
  return limits;
}

/**
 * Sets the limits of a new server. `isAlone` says that its exchanges send every response: they start the clock of slow
 * readers where bytes are left, while Node would start one for each request.
 */
export function setLimits(server: HttpServer, limits: Limits, isAlone: boolean): void {
  for (const name of Object.keys(properties) as (keyof LimitOptions)[]) {
    const value = limits[name];
    if (value !== undefined) server[properties[name]] = value;
  }
  // In a process that was busy a timer comes late, before a request that has arrived is read.
  server.on('timeout', (socket) => setImmediate(endStuck, socket));
  if (!isAlone) return;
  server.timeout = 0;
  onConnection(server, (socket) => startPatience(socket, limits.slowReaderMs));
}

/**
 * Node looks at the bytes that the system has taken, and with a listener ends no connection itself, so that idle ones
 * are ended here too; while a handler works nothing waits to be read. The newest response is the last to be sent.
 */
function endStuck(socket: Socket): void {
  const isIdle = findLastResponse(socket)?.writableEnded !== false;
  if (socket.writableLength > 0 || isIdle) socket.destroy();
}
