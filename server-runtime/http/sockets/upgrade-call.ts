import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { BuilderRequest, CallerConnection } from '../../capability/context.ts';
import type { AnyGuard } from '../../capability/guard.ts';
import type { Failure } from '../../errors/failure.ts';
import type { Application } from '../../server/application.ts';
import { Call, type CallPort } from '../../server/call.ts';
import { toHeadersByName } from '../../server/raw-headers.ts';
import { toRefusalHeaders } from '../challenge.ts';
import { nodeHttp } from '../node-http.ts';

/** The request for a connection, as context builders, guards and hooks see it. It ends with 101, or refused. */
export class UpgradeCall extends Call {
  readonly transport: string;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly connection: CallerConnection | undefined;
  readonly socket: Duplex;
  /** The guards of its door, by which a refusal says what would be accepted. */
  readonly guards: readonly AnyGuard[];

  constructor(app: Application, port: CallPort<UpgradeCall>, upgrade: Upgrade) {
    super(app, port);
    const { method = 'GET', url = '/', headers, socket, remoteAddress, connection } = upgrade;
    this.transport = upgrade.transport ?? 'websocket';
    this.method = method;
    this.url = url;
    this.path = url.split('?', 1)[0] ?? '/';
    this.headers = headers;
    this.remoteAddress = remoteAddress;
    this.requestId = app.toRequestId(headers['x-request-id']);
    this.connection = connection;
    this.socket = socket;
    this.guards = upgrade.guards ?? [];
    this.timeoutMs = app.timeoutMs;
  }
}

export interface Upgrade
  extends Pick<IncomingMessage, 'headers'>,
    Partial<Pick<IncomingMessage, 'method' | 'url'>> {
  /** @default 'websocket' */
  readonly transport?: string;
  readonly socket: Duplex;
  readonly remoteAddress: string | undefined;
  readonly connection?: CallerConnection | undefined;
  readonly guards?: readonly AnyGuard[] | undefined;
}

/** Answers a request for an upgrade that is not made, and ends its connection once that is sent. */
export function refuseUpgrade({ socket, requestId, guards }: UpgradeCall, reason: Failure): void {
  const { status, name: error, message, retryAfterSeconds } = reason;
  const body = JSON.stringify({ error, message });
  // Without the headers of the error itself, which nothing here checks for the end of a line.
  const more = toHeadersByName(toRefusalHeaders({ status, retryAfterSeconds }, guards));
  const head = [
    `HTTP/1.1 ${status} ${nodeHttp().STATUS_CODES[status] ?? error}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    // The facts that a client of another version needs.
    'sec-websocket-version: 13',
    `x-request-id: ${requestId}`,
  ];
  for (const [name, values] of Object.entries(more))
    for (const value of [values].flat()) head.push(`${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  socket.end([...head, '', body].join('\r\n'));
}
