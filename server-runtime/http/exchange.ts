import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';

import { rememberContext } from '../resources/async-context.ts';

/** Names and values in turn: `['content-type', 'application/json', …]`. */
export type RawHeaders = readonly string[];

export type ResponseBody = string | Uint8Array | Readable | undefined;

/** A body, or in its place: it is longer than it may be; it broke off, and its sender still waits for a response. */
export type ReceivedBytes = Buffer | 'too long' | 'broken off';

/** One HTTP request and the way back to its caller, whatever carries it: node:http or fetch. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string | undefined;
  /** Whether it came over TLS to this process. */
  readonly isSecure: boolean;
  /** Bytes of the body: 0 without one, NaN where the request does not declare a length. */
  readonly bodyLength: number;
  /** Reads the body and gives it to `done`, or why it is not there. Not called when the caller leaves. */
  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void;
  /** The body as it arrives. Read it or use `readBytes`, not both. */
  readonly body: Readable;
  /** Asks that the connection ends with its response. */
  endsConnection: boolean;
  /** Responds, unless the caller has left or a response was sent already. @throws for headers that cannot be sent */
  send(status: number, headers: RawHeaders, body: ResponseBody): void;
  /** Called once when the caller leaves before it has the whole response. */
  onLeave(listener: () => void): void;
}

/** The longest rest of a body that is read to its end to keep its connection, bytes. */
export const WORTH_READING = 65_536;

/** Whether a body may be longer than `limit`. A body of undeclared length, NaN, may have any length. */
export function isLong(bodyLength: number, limit = WORTH_READING): boolean {
  return Number.isNaN(bodyLength) || bodyLength > limit;
}

function toBodyLength({ headers }: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined) return Number(length);
  return coding === undefined ? 0 : Number.NaN;
}

export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

export function isStream(body: ResponseBody): body is Readable {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

/** The length of a response, bytes; undefined where it has none, or is unknown. */
export function findLength({
  status = 200,
  body,
  byteLength,
}: {
  readonly status?: number | undefined;
  readonly body?: ResponseBody;
  readonly byteLength?: number | undefined;
}): number | undefined {
  if (isBodiless(status)) return undefined;
  return byteLength ?? (isStream(body) ? undefined : Buffer.byteLength(body ?? ''));
}

/**
 * Passes the bytes of a stream to `onBody`, or `'too long'` once there are more than `maxBytes`; the rest is thrown
 * away.
 */
export function readBytes(
  stream: Readable,
  maxBytes: number,
  onBody: (body: ReceivedBytes) => void,
): void {
  // A stream calls its listeners as its socket does: the tenant and the span of the host's middleware would be lost.
  const run = rememberContext();
  const done = (body: ReceivedBytes): void => run(() => onBody(body));
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maxBytes) return;
    stream.off('data', take).off('end', end).resume();
    done('too long');
  };
  const end = (): void => {
    const [first] = chunks;
    done(chunks.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(chunks));
  };
  // This first `read` makes the stream pass its bytes on as they arrive, also those before an error.
  stream.read(0);
  stream.on('data', take).on('end', end);
}

/** How long a caller that is still sending may take to read its response before the connection ends, milliseconds. */
const LINGER_MS = 1000;

/**
 * The listener for an event of a server. `take` is called first, and returns whether it has taken the request. Callers
 * of `checkContinue` wait for `100 Continue` before they send a body: a refusal by the head alone is answered without
 * it, so that no body is sent in vain (RFC 9110, 10.1.1). Guests read the bodies of their requests.
 */
export function toRequestListener(
  event: 'request' | 'checkContinue',
  handle: (exchange: Exchange) => void,
  take: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
): RequestListener {
  const waitsToSend = event === 'checkContinue';
  const run = (request: IncomingMessage, response: ServerResponse): void => {
    if (take === undefined || !take(request, response)) {
      const exchange = new NodeExchange(request, response);
      exchange.waitsToSend = waitsToSend;
      handle(exchange);
    } else if (waitsToSend && !response.headersSent) response.writeContinue();
  };
  return (request, response) => runInTurn(request, response, run);
}

/** The response to the last request of a connection, which may come before those ahead are sent. */
const LAST: unique symbol = Symbol('last response');

/** The number of requests of a connection that wait for their turn. */
const WAITING: unique symbol = Symbol('waiting requests');

/** As many may wait on a connection before it is read no further. One read may bring more. */
const MAX_WAITING = 32;

/** How long the caller of a connection may leave bytes untouched, milliseconds; without it, Node looks at that. */
const PATIENCE: unique symbol = Symbol('patience');

interface Connection extends Duplex {
  [LAST]?: ServerResponse;
  [WAITING]?: number;
  [PATIENCE]?: number;
}

/**
 * Lets the clock of a slow reader run: now, and then wherever a response leaves bytes behind or is a stream. Node stops
 * it with each response that is sent.
 */
export function startPatience(socket: Socket & Connection, ms: number): void {
  socket[PATIENCE] = ms;
  socket.setTimeout(ms);
}

/**
 * Runs a request once the responses ahead of it on its connection are sent. A client may send thousands of requests
 * together, and all their responses would be in memory, even if it reads none. A request behind a response that ends
 * the connection never runs (RFC 9112, 9.6): its response could not be sent, and its client may send it again.
 */
export function runInTurn<Request extends IncomingMessage>(
  request: Request,
  response: ServerResponse,
  run: (request: Request, response: ServerResponse) => void,
): void {
  const connection: Connection = request.socket;
  const ahead = connection[LAST];
  if (ahead?.shouldKeepAlive === false) return void response.emit('close');
  connection[LAST] = response;
  response.on('close', forgetResponse);
  if (ahead === undefined || ahead.writableFinished) return run(request, response);
  const runAsNow = rememberContext();
  countWaiting(connection, 1);
  // Node emits this when a response is sent, and when its connection ends before that.
  ahead.once('close', () => {
    countWaiting(connection, -1);
    if (connection.writable) runAsNow(() => run(request, response));
  });
}

/** The members of a response that this folder reads; the cast stands for the others. */
const sent = { writableFinished: true, writableEnded: true, headersSent: true } as ServerResponse;
const going = { ...sent, shouldKeepAlive: true } as ServerResponse;
const ended = { ...sent, shouldKeepAlive: false } as ServerResponse;

/**
 * V8 keeps closed connections until its next large collection. If they held their requests, it would put all later ones
 * of the process among its old objects, and they would take twice as long.
 */
function forgetResponse(this: ServerResponse): void {
  const connection: Connection = this.req.socket;
  if (connection[LAST] !== this) return;
  connection[LAST] = this.writableFinished && this.shouldKeepAlive ? going : ended;
}

/** Reads of a connection only as long as few requests wait on it. */
function countWaiting(connection: Connection, change: 1 | -1): void {
  const count = (connection[WAITING] ?? 0) + change;
  connection[WAITING] = count;
  const isMore = change > 0;
  if (!isMore && count === MAX_WAITING) connection.resume();
  if (!isMore || count !== MAX_WAITING + 1) return;
  // Node reads on after each part of a body and each request, so that it is stopped when it has seen all that has
  // arrived.
  setImmediate(() => {
    if ((connection[WAITING] ?? 0) > MAX_WAITING) connection.pause();
  });
}

/** Undefined for a connection that has sent no request yet. */
export function findLastResponse(connection: Connection): ServerResponse | undefined {
  return connection[LAST];
}

class NodeExchange implements Exchange {
  endsConnection = false;
  /** Whether the caller waits for `100 Continue` before it sends its body. */
  waitsToSend = false;
  readonly bodyLength: number;
  readonly #body: Readable;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: Readable = request) {
    this.#request = request;
    this.#response = response;
    this.#body = body;
    this.bodyLength = toBodyLength(request);
    // Without a body, one `read` leaves nothing in the stream that Node would have to resume and end. Of a server of
    // ours, Node has ended it already.
    if (this.bodyLength === 0 && !request.readableEnded) request.read(0);
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }
  get body(): Readable {
    if (this.waitsToSend && !this.#response.headersSent) this.#response.writeContinue();
    this.waitsToSend = false;
    return this.bodyLength === 0 ? Readable.from([]) : this.#body;
  }
  get url(): string {
    return this.#request.url ?? '/';
  }
  get headers(): IncomingMessage['headers'] {
    return this.#request.headers;
  }
  get remoteAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
  }
  get isSecure(): boolean {
    return 'encrypted' in this.#request.socket;
  }

  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    if (this.bodyLength === 0) done(Buffer.alloc(0));
    else readBytes(this.body, maxBytes, done);
  }

  send(status: number, headers: RawHeaders, body: ResponseBody): void {
    const request = this.#request;
    const response = this.#response;
    if (response.destroyed || response.headersSent) {
      if (isStream(body)) body.destroy();
      return;
    }
    const lingers = this.#mayGetMore();
    // The responses to requests that came after this one would be lost.
    const ends =
      lingers ||
      (this.endsConnection && (findLastResponse(request.socket) ?? response) === response);
    if (ends) response.shouldKeepAlive = false;
    // Node would still have the status text of a head that could not be written.
    response.statusMessage = '';
    response.writeHead(status, (ends ? [...headers, 'connection', 'close'] : headers) as string[]);
    if (isStream(body)) {
      response.flushHeaders();
      this.#watchReader();
      return void pipeline(body, response, () => this.#giveUpBody());
    }
    this.#giveUpBody();
    if (lingers) this.#endLater(body);
    else this.#end(body);
  }

  #end(body?: string | Uint8Array): void {
    const { socket } = this.#request;
    this.#response.end(body);
    // The system has taken most responses by now.
    if (socket.writableLength > 0) this.#watchReader();
  }

  #watchReader(): void {
    const socket: Socket & Connection = this.#request.socket;
    const ms = socket[PATIENCE];
    if (ms !== undefined) socket.setTimeout(ms);
  }

  /**
   * Whether a long rest of the body may be under way, or the whole body, where the caller still waits for `100
   * Continue`.
   */
  #mayGetMore(): boolean {
    return !this.#request.complete && (this.waitsToSend || isLong(this.bodyLength));
  }

  onLeave(listener: () => void): void {
    const response = this.#response;
    response.on('close', () => {
      if (!response.writableFinished) listener();
    });
  }

  /** A body that was read in part is thrown away; left alone, it would hold up the next request of the connection. */
  #giveUpBody(): void {
    const request = this.#request;
    if (!request.complete && request.readableFlowing !== null)
      request.unpipe().removeAllListeners('data').resume();
  }

  /**
   * Closing a connection while its caller still sends would lose the response: it ends when the caller stops sending,
   * or after a while.
   */
  #endLater(body: string | Uint8Array | undefined): void {
    const response = this.#response;
    response.flushHeaders();
    if (body !== undefined) response.write(body);
    const end = (): void => {
      clearTimeout(timer);
      this.#end();
    };
    const timer = setTimeout(end, LINGER_MS);
    this.#request.once('end', end).once('close', end).resume();
  }
}

/**
 * An exchange for a handler inside another framework, whose parser may have read the body, and stored it as `rawBody`.
 * @throws Error where the body cannot be recovered: a parser of forms does not store what was sent
 */
export function toMountedExchange(
  request: IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown },
  response: ServerResponse,
): Exchange {
  const { body, rawBody, headers, readableEnded } = request;
  if (!readableEnded || toBodyLength(request) === 0) return new NodeExchange(request, response);
  const sent = [rawBody, body].find(
    (value) => typeof value === 'string' || value instanceof Uint8Array,
  );
  const bytes =
    sent ?? (/\bjson\b/i.test(headers['content-type'] ?? '') ? JSON.stringify(body) : undefined);
  if (bytes === undefined)
    throw new Error(
      'The body was read before capix could. Put its handler before the parser of bodies.',
    );
  return new NodeExchange(request, response, Readable.from([Buffer.from(bytes as Uint8Array)]));
}
