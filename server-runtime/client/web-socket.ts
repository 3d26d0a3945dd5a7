import { toAddress, toPlainJson } from '../routing/fill-route.ts';
import type { CallLink, CallOptions, SentCall, SocketTransport } from './call.ts';
import { isSentFile, type Sending, toHeaders, toRandomText } from './create-client-of.ts';
import { ConnectionLost, PendingCall, toReason } from './pending-call.ts';
import type { CallResult } from './read-response.ts';
import { type ConnectionEnd, SocketConnection, type WebSocketClass } from './socket-connection.ts';

/** The options of a connection. Times are milliseconds. */
export interface WebSocketClientOptions {
  /** The class that makes connections, where the runtime has none, as Node 20: that of `ws` or `undici`. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** The path of the connection, as `webSocketTransport` of the server has it. @default '/_call' */
  readonly path?: string | undefined;
  /** The most calls that wait for a connection; further ones throw `ConnectionLost`. @default 1000 */
  readonly maxWaitingCalls?: number | undefined;
  /** The most items of a stream that are here and not used yet. @default 64 */
  readonly maxItems?: number | undefined;
  /** The time without calls after which the connection is closed, until the next call. @default 60000 */
  readonly idleMs?: number | undefined;
  /**
   * How often in a row another connection is tried where one was lost or could not be made, after a quarter of a second
   * at first and later after half a minute; `Infinity` for ever. @default 10
   */
  readonly reconnects?: number | undefined;
  /** The time in which a server has to open a connection, before another one is tried. @default 10000 */
  readonly connectMs?: number | undefined;
  /** The silence after which the client pings the server, which has 10 seconds to answer. @default 25000 */
  readonly silenceMs?: number | undefined;
}

/**
 * Carries the calls of a client over a WebSocket, to `webSocketTransport` of `capix/websocket`, in place of requests:
 * `createClient<typeof server>({ transport: webSocket('https://api.example.org') })`. It connects with the first call.
 */
export function webSocket(url: string, options: WebSocketClientOptions = {}): SocketTransport {
  return new SocketLink(url, options);
}

/** Where calls go: to the connection, or into the queue until there is one. */
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' | 'open'; readonly connection: SocketConnection }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly kind: 'asking for headers' }
  | { readonly kind: 'closed' };

interface Owner {
  readonly options: Sending['options'];
  /** The subprotocol of the form in which it reads answers. */
  readonly protocol: 'capix.v1' | 'capix.v1.flat';
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;
/** The wait where a server has too many connections of this address, milliseconds. */
const CROWDED_WAIT_MS = 5_000;

/** Sends calls over a connection. Where that is lost, it makes another one, and moves the calls that may be moved. */
class SocketLink implements SocketTransport, CallLink {
  readonly #url: string;
  readonly #options: WebSocketClientOptions;
  #state: State = { kind: 'idle' };
  /** All that are not closed: of one whose server goes away, the calls are answered yet. */
  readonly #connections = new Set<SocketConnection>();
  /** The calls that no connection has, in their order. */
  #queue: PendingCall[] = [];
  /** The client whose calls it carries, with the form in which it reads answers. */
  #owner: Owner | undefined;
  /** The headers of the client as they were last read. */
  #headers = new Headers();
  /** The number of connections that were lost one after the other. */
  #losses = 0;
  /** Whether the headers were read again because the server refused the first ones. */
  #hasReread = false;
  #ids = 0;

  constructor(url: string, options: WebSocketClientOptions) {
    this.#url = toAddress(url.replace(/^http/, 'ws'), options.path ?? '/_call');
    this.#options = options;
  }

  close(): void {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    if (state.kind === 'waiting') clearTimeout(state.timer);
    for (const connection of this.#connections) connection.close(closedText);
    this.#giveUp(closedText);
  }

  belongTo(options: Sending['options'], isByKey: boolean): void {
    const protocol = isByKey ? 'capix.v1.flat' : 'capix.v1';
    this.#owner ??= { options, protocol };
    const isOther = this.#owner.options.headers !== options.headers;
    // Calls would run with the headers of the other client, which may be those of another user.
    if (isOther || this.#owner.protocol !== protocol)
      throw new TypeError('Another client has this connection. Make one for each: webSocket(url).');
  }

  /** Calls an operation. Rejects with why it could not be sent, or with the reason of its signal. */
  async call(key: string, sending: Sending, { input, call }: SentCall): Promise<CallResult> {
    const { options, route, revive } = sending;
    const facts = route[2] ?? {};
    expectSendable(input, call);
    this.belongTo(options, facts.isByKey === true);
    const headers = toHeaders(call.headers);
    const needsKey = facts.key === true && !headers.has('idempotency-key');
    const onceKey = call.idempotencyKey ?? (needsKey ? toRandomText() : undefined);
    if (onceKey !== undefined) headers.set('idempotency-key', `"${onceKey}"`);
    this.#headers = await this.#readHeaders();
    return new Promise((resolve, reject) => {
      const pending = new PendingCall({
        id: ++this.#ids,
        method: key,
        params: toPlainJson(input),
        headers,
        maxItems: this.#options.maxItems ?? 64,
        maxLosses: this.#maxLosses,
        // A query may run twice, and whatever has a key runs once.
        isRepeatable: route[0] === 'GET' || headers.has('idempotency-key'),
        revive,
        resolve,
        reject,
        onLeave: (left) => this.#forget(left),
        onMove: (moved) => this.#send(moved),
      });
      pending.watch(call.signal);
      if (!pending.isOver) this.#send(pending);
    });
  }

  #send(call: PendingCall): void {
    const { maxWaitingCalls = 1000 } = this.#options;
    if (this.#state.kind === 'closed') return call.fail(new ConnectionLost(closedText));
    if (this.#state.kind === 'open') return this.#state.connection.send(call, this.#headers);
    if (this.#queue.length >= maxWaitingCalls)
      return call.fail(
        new ConnectionLost(`${maxWaitingCalls} calls wait for a connection already`),
      );
    this.#queue.push(call);
    this.#connectIfNeeded();
  }

  /** A call that waits has ended by itself. */
  #forget(call: PendingCall): void {
    this.#queue = this.#queue.filter((each) => each !== call);
  }

  get #maxLosses(): number {
    return this.#options.reconnects ?? 10;
  }

  #failAll(error: Error): void {
    for (const call of this.#queue.splice(0)) call.fail(error);
  }

  /** Ends the calls that wait: there will be no connection for them. */
  #giveUp(why: string): void {
    for (const call of this.#queue.splice(0)) call.giveUp(why);
  }

  #connectIfNeeded(): void {
    if (this.#queue.length === 0 || this.#state.kind !== 'idle') return;
    const { WebSocket = globalThis.WebSocket as WebSocketClass | undefined } = this.#options;
    if (WebSocket === undefined) return this.#failAll(new TypeError(noClassText));
    const { connectMs = 10_000, idleMs = 60_000, silenceMs = 25_000 } = this.#options;
    const connection: SocketConnection = new SocketConnection({
      open: () => new WebSocket(this.#url, [this.#owner?.protocol ?? 'capix.v1']),
      headers: this.#headers,
      connectMs,
      idleMs,
      silenceMs,
      onOpen: () => this.#opened(connection),
      onAnswer: () => {
        this.#losses = 0;
        this.#hasReread = false;
      },
      onGoAway: (waitMs) => this.#left(connection, waitMs),
      onClose: (end) => this.#closed(connection, end),
    });
    this.#connections.add(connection);
    this.#state = { kind: 'connecting', connection };
  }

  #opened(connection: SocketConnection): void {
    if (!this.#isCurrent(connection)) return;
    this.#state = { kind: 'open', connection };
    for (const call of this.#queue.splice(0)) connection.send(call, this.#headers);
  }

  /** The server takes no more calls: they go to another connection, while those that it has are answered. */
  #left(connection: SocketConnection, waitMs: number): void {
    if (this.#isCurrent(connection)) this.#connectAfter(waitMs);
  }

  #closed(connection: SocketConnection, end: ConnectionEnd): void {
    this.#connections.delete(connection);
    const isCurrent = this.#isCurrent(connection);
    if (isCurrent) this.#state = { kind: 'idle' };
    this.#queue = [...end.calls.filter((call) => call.lose(end)), ...this.#queue];
    if (this.#state.kind === 'closed') return this.#giveUp(closedText);
    if (!isCurrent || this.#queue.length === 0) return this.#connectIfNeeded();
    if (isRefusal(end.code)) return void this.#refused(end);
    this.#losses++;
    if (this.#losses > this.#maxLosses) {
      // The next call begins with a new count.
      this.#losses = 0;
      return this.#giveUp(`No connection could be made: ${toReason(end)}`);
    }
    this.#connectAfter(toWaitMs(end.code, this.#losses));
  }

  #connectAfter(waitMs: number): void {
    // The headers were read for calls of long ago. Where they cannot be read now, the server judges the last ones.
    const timer = setTimeout(() => void this.#connectAnew(() => {}), waitMs);
    this.#state = { kind: 'waiting', timer };
  }

  /** Called when the server refuses the headers: they are read once more, or the calls fail. Never rejects. */
  async #refused(end: ConnectionEnd): Promise<void> {
    if (end.code !== 4401 || this.#hasReread) {
      this.#hasReread = false;
      for (const call of this.#queue.splice(0)) call.refuse(end);
      return;
    }
    this.#hasReread = true;
    await this.#connectAnew((error) => this.#failAll(error));
  }

  /** Reads the headers once more, and connects. Never rejects. */
  async #connectAnew(onFault: (error: Error) => void): Promise<void> {
    this.#state = { kind: 'asking for headers' };
    try {
      if (this.#queue.length > 0) this.#headers = await this.#readHeaders();
    } catch (error) {
      onFault(error as Error);
    }
    if (this.#state.kind !== 'asking for headers') return;
    this.#state = { kind: 'idle' };
    this.#connectIfNeeded();
  }

  async #readHeaders(): Promise<Headers> {
    const headers = this.#owner?.options.headers;
    return toHeaders(typeof headers === 'function' ? await headers() : headers);
  }

  #isCurrent(connection: SocketConnection): boolean {
    return 'connection' in this.#state && this.#state.connection === connection;
  }
}

const closedText = 'The connection was closed by close()';
const noClassText =
  'This runtime has no WebSocket. Give one: webSocket(url, { WebSocket }), such as that of the package ws.';

/** Whether a server has refused the caller. With 4429 it has refused a connection too many, which may be made later. */
function isRefusal(code: number): boolean {
  return code >= 4400 && code < 4500 && code !== 4429;
}

/** A server that shuts down announces it: another one, or newer code, is there soon. Half of each wait is random. */
function toWaitMs(code: number, losses: number): number {
  if (code === 1012 && losses === 1) return 0;
  const firstMs = code === 1013 ? CROWDED_WAIT_MS : FIRST_WAIT_MS;
  const waitMs = Math.min(MAX_WAIT_MS, firstMs * 2 ** (losses - 1));
  return waitMs / 2 + (Math.random() * waitMs) / 2;
}

/** @throws TypeError for an input that a message cannot carry */
function expectSendable(input: object, { intercept }: CallOptions): void {
  if (intercept !== undefined)
    throw new TypeError('A call over a WebSocket is not a request that `intercept` could change.');
  for (const [name, value] of Object.entries(input))
    if ([value].flat().some(isSentFile))
      throw new TypeError(`\`${name}\` is a file, which no message can carry: send it over HTTP.`);
}
