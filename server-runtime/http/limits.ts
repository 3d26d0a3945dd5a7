import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { findLastResponse } from './exchange.ts';

/** The limits of a server that listens. Times are milliseconds. */
export interface LimitOptions {
  /** The most connections; further ones are closed at once. @default no limit */
  readonly connections?: number | undefined;
  /** The most requests in progress; further ones get 503 with `Retry-After`. @default no limit */
  readonly requests?: number | undefined;
  /** The most requests of one connection; it ends with the last of them. @default no limit */
  readonly connectionRequests?: number | undefined;
  /** The time in which the head of a request arrives; then 408. @default 60000 */
  readonly headersTimeoutMs?: number | undefined;
  /** The time in which a whole request arrives; then 408. @default 300000 */
  readonly requestTimeoutMs?: number | undefined;
  /** The time that an idle connection is kept. @default 5000 */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** The time in which a caller takes some of what waits for it; then its connection ends. @default 60000 */
  readonly slowReaderMs?: number | undefined;
}

/** The property of a server of node:http that holds a limit; undefined for what is held to here. */
const properties = {
  connections: 'maxConnections',
  requests: undefined,
  connectionRequests: 'maxRequestsPerSocket',
  headersTimeoutMs: 'headersTimeout',
  requestTimeoutMs: 'requestTimeout',
  keepAliveTimeoutMs: 'keepAliveTimeout',
  slowReaderMs: undefined,
} as const satisfies Record<keyof LimitOptions, keyof HttpServer | undefined>;

/** The limits, valid. */
export interface Limits {
  /** Sets the limits of a server that was just made. */
  readonly apply: (server: HttpServer) => void;
  /** Whether more requests are in progress than may be; the one that asks is counted already. */
  readonly isFull: (() => boolean) | undefined;
  readonly slowReaderMs: number;
}

/** @throws TypeError or RangeError that names the limit */
export function toLimits(options: LimitOptions = {}): Limits {
  expectKnownOptions('restTransport({limits})', options, properties);
  const { requests, slowReaderMs = 60_000 } = options;
  const set = Object.entries(options).filter((limit): limit is [keyof LimitOptions, number] => limit[1] !== undefined);
  for (const [name, value] of set) {
    if (name.endsWith('Ms')) expectTimeout(value, `restTransport limits.${name}`);
    else expectInteger(`restTransport limits.${name}`, value, { min: 1 });
  }
  let running = 0;
  const count = (_request: unknown, response: ServerResponse): void => {
    running++;
    response.once('close', () => running--);
  };
  const apply = (server: HttpServer): void => {
    if (requests !== undefined) server.prependListener('request', count);
    for (const [name, value] of set) {
      const property = properties[name];
      if (property !== undefined) server[property] = value;
    }
    // In a process that was busy a timer comes late, before a request that has arrived is read.
    server.setTimeout(slowReaderMs, (socket) => setImmediate(endStuck, socket));
  };
  return { apply, isFull: requests === undefined ? undefined : () => running > requests, slowReaderMs };
}

/**
 * Node looks at the bytes that the system has taken, so that a slow reader of one long text is not one who has stopped.
 * With a listener Node ends no connection itself, so that idle ones are ended here too; while a handler works nothing
 * waits to be read. Responses of one connection are sent in order: the newest is the last to be sent.
 */
function endStuck(socket: Socket): void {
  const isIdle = findLastResponse(socket)?.writableEnded !== false;
  if (socket.writableLength > 0 || isIdle) socket.destroy();
}
