import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CallerConnection } from '../../capability/context.ts';
import type { AnyGuard } from '../../capability/guard.ts';
import { defaultErrors } from '../../errors/define-error.ts';
import { type Failure, failure } from '../../errors/failure.ts';
import type { Application } from '../../server/application.ts';
import { type CallPort, openCall } from '../../server/call.ts';
import type { HostFacts, TakeSocket } from '../../server/guests.ts';
import { admitsPage } from '../origin.ts';
import { type Leaving, type SocketConnection, toCloseReason } from './socket-connection.ts';
import { refuseUpgrade, UpgradeCall } from './upgrade-call.ts';
import { expectVersion, findVersion } from './ws-version.ts';

const { BadRequest, Forbidden, ServiceUnavailable, TooManyRequests } = defaultErrors;

/** A host without settings of its own: its own pages may connect. */
const plainHost: HostFacts = {
  prefix: '',
  admitsPage: ({ headers }) => admitsPage(headers, { trusts: () => false, isForAll: false }),
  findAddress: ({ socket }) => socket.remoteAddress,
};

/** What a kind of connection has of its own. */
interface SocketKind<Connection extends SocketConnection> {
  /** The name of its transport, for contexts and hooks. */
  readonly name: string;
  /** What needs the package ws, as its users write it. */
  readonly neededBy: string;
  /** Behind the prefix of the host. */
  readonly path: string;
  /** The subprotocols that its clients offer. */
  readonly protocols: readonly string[];
  /** Whether a client must offer one of them: another is closed with 4406. @default false */
  readonly needsProtocol?: boolean | undefined;
  readonly compression?: boolean | undefined;
  readonly limits: {
    readonly maxMessageSize: number;
    readonly connections: number;
    readonly pingMs: number;
  };
  /** The guards of connections. A client may send its token in a message: then it is let in with a refusal. */
  readonly guards: readonly AnyGuard[];
  readonly findRefusal?: (call: UpgradeCall) => Promise<Failure | undefined>;
  readonly connect: (opened: OpenedSocket) => Connection;
}

/** A WebSocket that is open. */
export interface OpenedSocket {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  readonly request: IncomingMessage;
  readonly remoteAddress: string | undefined;
  readonly facts: CallerConnection;
  readonly refusal: Failure | undefined;
  /** Called once it is closed. */
  readonly onClose: (connection: SocketConnection) => void;
}

/** Lets connections of one kind in, and owns them until they are closed. */
export class SocketDoor<Connection extends SocketConnection> {
  readonly #app: Application;
  readonly #kind: SocketKind<Connection>;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<SocketConnection>();
  readonly #countOf = new Map<string, number>();
  /** The upgrades whose handshake is under way, to answer those that ws refuses. */
  readonly #handshakes = new WeakMap<IncomingMessage, UpgradeCall>();
  readonly #beats: NodeJS.Timeout;
  #phase: 'starting' | 'open' | 'leaving' = 'starting';
  #onEmpty: (() => void) | undefined;

  /** @throws Error for a version of ws that is too old */
  constructor(app: Application, kind: SocketKind<Connection>) {
    expectVersion(findVersion(), kind.neededBy);
    this.#app = app;
    this.#kind = kind;
    const { limits, compression = false, protocols } = kind;
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.maxMessageSize,
      // Without a memory of the messages before, which is 240 KiB for each connection.
      perMessageDeflate: compression && {
        threshold: 1024,
        serverNoContextTakeover: true,
        clientNoContextTakeover: true,
      },
      // A browser that offers others closes.
      handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
    });
    this.#sockets.on('wsClientError', ({ message }, _socket, request) =>
      this.#handshakes.get(request)?.refuse(failure(BadRequest, message)),
    );
    // In a process that was busy a timer comes late, before a pong that has arrived is read.
    this.#beats = setInterval(() => setImmediate(() => this.#beat()), limits.pingMs);
    this.#beats.unref();
  }

  open(): void {
    this.#phase = 'open';
  }

  /** Answers a plain request at the path of connections. */
  take(request: IncomingMessage, response: ServerResponse, host = plainHost): boolean {
    if (!this.#isOwn(request, host)) return false;
    const message = 'WebSockets are spoken here.';
    response
      .writeHead(426, {
        'content-type': 'application/json; charset=utf-8',
        upgrade: 'websocket',
        connection: 'Upgrade',
        'x-request-id': this.#app.toRequestId(request.headers['x-request-id']),
      })
      .end(JSON.stringify({ error: 'UpgradeRequired', message }));
    return true;
  }

  upgrade(request: IncomingMessage, host = plainHost): TakeSocket | undefined {
    const isWebSocket = /^websocket$/i.test(request.headers.upgrade ?? '');
    if (!isWebSocket || !this.#isOwn(request, host)) return undefined;
    return (socket, head) =>
      void this.#enter(request, { socket, head, host }).catch((error: unknown) => {
        this.#app.logger.error('[capix] A connection could not be opened', { error });
        socket.destroy();
      });
  }

  /** Admits no more connections, and closes each once its calls have their answers. */
  leave(reason: Leaving): void {
    this.#phase = 'leaving';
    for (const connection of this.#connections) connection.leave(reason);
  }

  /** The same, for `graceMs` at most. Never rejects. */
  async stop(graceMs: number): Promise<void> {
    this.leave('stop');
    clearInterval(this.#beats);
    if (this.#connections.size === 0) return;
    const cut = setTimeout(() => {
      for (const connection of this.#connections)
        connection.terminate('Its calls had no answer in time');
    }, graceMs);
    await new Promise<void>((resolve) => {
      const others = this.#onEmpty;
      this.#onEmpty = () => {
        others?.();
        resolve();
      };
    });
    clearTimeout(cut);
  }

  #beat(): void {
    for (const connection of this.#connections) connection.beat();
  }

  #isOwn({ url = '/' }: IncomingMessage, { prefix }: HostFacts): boolean {
    return url.split('?', 1)[0] === prefix + this.#kind.path;
  }

  /** Makes a connection of an upgrade, or refuses it. Rejects with what the host throws. */
  async #enter(request: IncomingMessage, arrival: Arrival): Promise<void> {
    const { socket, host } = arrival;
    const { guards, findRefusal } = this.#kind;
    const remoteAddress = host.findAddress(request);
    const facts = new ConnectionFacts();
    const { headers, url } = request;
    const caller = { remoteAddress, connection: facts, guards };
    const upgrade = { transport: this.#kind.name, method: request.method, url, headers, ...caller };
    const call = new UpgradeCall(this.#app, upgradePort, { ...upgrade, socket });
    const entry: Entry = { ...arrival, request, remoteAddress, call, facts };
    openCall(call);
    if (this.#phase !== 'open') return call.refuse({ ...starting, retryAfterSeconds: 1 });
    if (!host.admitsPage(request)) return call.refuse(toForeignPage(request));
    if (this.#kind.needsProtocol === true && !this.#isOffered(request))
      return this.#closeAtOnce(entry, 4406, 'Subprotocol not acceptable');
    if (this.#isCrowded(remoteAddress)) return this.#turnAway(entry, tooMany, 1013);
    if (guards.length === 0 || findRefusal === undefined) return this.#accept(entry);
    const unwatch = watchEnd(socket, () => call.abandon());
    const refusal = await findRefusal(call);
    unwatch();
    if (socket.destroyed) return;
    if (refusal === undefined) return this.#accept(entry);
    // Browsers let no page set a header here, so that a client may send its token in a message.
    const maySendHeaders = refusal.status === 401 && this.#isOffered(request);
    if (maySendHeaders) this.#accept(entry, refusal);
    else this.#turnAway(entry, refusal, 4000 + refusal.status);
  }

  /** Browsers tell a page nothing of a refused upgrade: for our clients it is made, and closed with the reason. */
  #turnAway(entry: Entry, reason: Failure, code: number): void {
    const { call, request } = entry;
    if (!this.#isOffered(request)) return call.refuse(reason);
    call.report(reason);
    this.#closeAtOnce(entry, code, toCloseReason(`${reason.name}: ${reason.message}`));
  }

  #closeAtOnce(entry: Entry, code: number, reason: string): void {
    this.#shakeHands(entry, (webSocket) => {
      webSocket.on('error', () => {});
      webSocket.close(code, reason);
      setTimeout(() => webSocket.terminate(), 1000).unref();
      const carried = { calls: 0, received: 0, sent: 0 };
      const { facts: connection } = entry;
      this.#app.onConnectionClosed?.({ connection, by: 'server', code, reason, ...carried });
    });
  }

  #accept(entry: Entry, refusal?: Failure): void {
    // Other connections may have opened while its guards ran.
    if (this.#isCrowded(entry.remoteAddress)) return this.#turnAway(entry, tooMany, 1013);
    this.#shakeHands(entry, (webSocket) => {
      const { request, socket, remoteAddress, facts } = entry;
      const opened = { webSocket, socket, request, remoteAddress, facts, refusal };
      const connection = this.#kind.connect({ ...opened, onClose: this.#remove });
      facts.belongTo(connection);
      this.#connections.add(connection);
      this.#countOf.set(String(remoteAddress), this.#countAt(remoteAddress) + 1);
      if (this.#phase === 'leaving') connection.leave('stop');
    });
  }

  #shakeHands(entry: Entry, onOpen: (made: WebSocket) => void): void {
    const { request, socket, head, call } = entry;
    this.#handshakes.set(request, call);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      call.close();
      call.reportAnswer(101);
      onOpen(webSocket);
    });
  }

  /** Whether its client knows the protocols of this door. */
  #isOffered({ headers }: IncomingMessage): boolean {
    const offered = headers['sec-websocket-protocol'] ?? '';
    return offered.split(',').some((name) => this.#kind.protocols.includes(name.trim()));
  }

  #isCrowded(address: string | undefined): boolean {
    return this.#countAt(address) >= this.#kind.limits.connections;
  }

  #countAt(address: string | undefined): number {
    return this.#countOf.get(String(address)) ?? 0;
  }

  readonly #remove = (connection: SocketConnection): void => {
    if (!this.#connections.delete(connection)) return;
    const address = String(connection.remoteAddress);
    const count = this.#countAt(address) - 1;
    if (count > 0) this.#countOf.set(address, count);
    else this.#countOf.delete(address);
    if (this.#connections.size === 0) this.#onEmpty?.();
  };
}

/** A socket that came with an upgrade, and the first bytes behind its head. */
interface Arrival {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly host: HostFacts;
}

interface Entry extends Arrival {
  readonly request: IncomingMessage;
  readonly remoteAddress: string | undefined;
  readonly call: UpgradeCall;
  readonly facts: ConnectionFacts;
}

/** Nobody reads the socket of an upgrade until that is made, so that its end would be seen only then. */
function watchEnd(socket: Duplex, onLeave: () => void): () => void {
  const look = (): void => void socket.read(0);
  const leave = (): void => void socket.destroy();
  socket.on('readable', look).once('end', leave).once('close', onLeave);
  return () => socket.off('readable', look).off('end', leave).off('close', onLeave);
}

class ConnectionFacts implements CallerConnection {
  #id: string | undefined;
  #connection: SocketConnection | undefined;

  /** Made when it is first needed: it takes half a kilobyte. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  belongTo(connection: SocketConnection): void {
    this.#connection = connection;
  }

  /** There is nothing to close while the guards of the upgrade run. */
  close(reason = ''): void {
    this.#connection?.close(4403, reason);
  }
}

/** No handler answers an upgrade, and it has no input. */
export const upgradePort: CallPort<UpgradeCall> = {
  readInput: () => ({ ok: true, value: {} }),
  succeed: () => {},
  refuse: (call, reason) => {
    refuseUpgrade(call, reason);
    call.reportAnswer(reason.status);
  },
};

const starting = failure(ServiceUnavailable, 'The server takes no connections now');
const tooMany = failure(TooManyRequests, 'There are too many connections of this address');

function toForeignPage({ headers: { origin } }: IncomingMessage): Failure {
  const who = `A page of ${JSON.stringify(origin)} may not connect with what its browser sends for its user.`;
  return failure(
    Forbidden,
    `${who} Name its origin in the option cors of the transport that listens.`,
  );
}
