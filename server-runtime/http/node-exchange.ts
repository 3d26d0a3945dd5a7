import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { markAnswering } from './answer-broken-requests.ts';
import { type Exchange, type RawHeaders, type ReceivedBytes, readBytes } from './exchange.ts';
import { isLastResponse, nodeHttp } from './node-http.ts';

/** The longest rest of a body that is read to its end to keep a connection that has its answer, bytes. */
const WORTH_READING = 65_536;
/** The time that a caller who is still sending has to see its answer before the connection ends, milliseconds. */
const LINGER_MS = 1000;

/** An exchange over node:http. */
export class NodeExchange implements Exchange {
  endsConnection = false;
  readonly bodyLength: number;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    this.bodyLength = toBodyLength(request.headers);
    // Where there is no body, a stream that was asked once has nothing left that Node would have to resume and end.
    if (this.bodyLength === 0 && !request.readableEnded) request.read(0);
  }

  get method(): string {
    return this.#request.method ?? 'GET';
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
  get body(): Readable {
    return this.#request;
  }

  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    readBytes(this.#request, maxBytes, done);
  }

  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const lingers = this.#mustLinger();
    this.#giveUpBody();
    this.#writeHead(status, this.#withConnection(headers, lingers));
    if (lingers) this.#endLater(body);
    else response.end(body);
  }

  sendStream(status: number, headers: RawHeaders, body: Readable): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent || this.method === 'HEAD') {
      body.destroy();
      return this.send(status, headers, undefined);
    }
    this.#writeHead(status, this.#withConnection(headers, this.#mustLinger()));
    response.flushHeaders();
    const { socket } = this.#request;
    markAnswering(socket, true);
    pipeline(body, response, () => {
      markAnswering(socket, false);
      this.#giveUpBody();
    });
  }

  onLeave(listener: () => void): void {
    const response = this.#response;
    response.on('close', () => {
      if (!response.writableFinished) listener();
    });
  }

  /** With the words of its status: Node keeps those of a head that could not be written. */
  #writeHead(status: number, headers: RawHeaders): void {
    this.#response.writeHead(status, nodeHttp().STATUS_CODES[status] ?? 'Unknown', headers as string[]);
  }

  #withConnection(headers: RawHeaders, ends: boolean): RawHeaders {
    const response = this.#response;
    // The responses to requests that came after this one would be lost.
    if (!ends && !(this.endsConnection && isLastResponse(this.#request.socket, response))) return headers;
    response.shouldKeepAlive = false;
    return [...headers, 'connection', 'close'];
  }

  /** A body that was read in part is thrown away; left alone, it would hold up the next request of the connection. */
  #giveUpBody(): void {
    const request = this.#request;
    if (!request.complete && request.readableFlowing !== null) request.unpipe().resume();
  }

  /** Whether more of the body is on its way than is worth reading. */
  #mustLinger(): boolean {
    return !this.#request.complete && !(this.bodyLength <= WORTH_READING);
  }

  /**
   * Closing on a caller who is still sending resets the connection, and the answer is lost. So the answer is written
   * whole, and the connection ends when the caller has stopped sending, or after a while.
   */
  #endLater(body: string | Uint8Array | undefined): void {
    const request = this.#request;
    const response = this.#response;
    markAnswering(request.socket, true);
    response.flushHeaders();
    if (body !== undefined) response.write(body);
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, LINGER_MS);
    request.once('end', end).once('close', end).resume();
  }
}

/** Bytes; 0 for no body, `NaN` for a length that is not known before the end. */
function toBodyLength(headers: IncomingMessage['headers']): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Number.NaN;
}

/** A request as body parsers leave it: `rawBody` where they were told to keep the bytes. */
export interface ParsedRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/** Whether somebody has read the body before, so that its bytes have to be had from what was made of them. */
export function isRead(request: ParsedRequest): boolean {
  return request.readableEnded && request.body !== undefined;
}

/**
 * An exchange whose body a parser of another framework has read.
 *
 * @throws Error where the body cannot be had back: what a parser of forms leaves is not what was sent
 */
export class ReadExchange extends NodeExchange {
  readonly #bytes: Buffer;

  constructor(request: ParsedRequest, response: ServerResponse) {
    super(request, response);
    this.#bytes = toBytes(request);
  }

  override get body(): Readable {
    return Readable.from([this.#bytes]);
  }

  override readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    done(this.#bytes.length > maxBytes ? 'too long' : this.#bytes);
  }
}

function toBytes({ body, rawBody, headers }: ParsedRequest): Buffer {
  for (const bytes of [rawBody, body]) {
    if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (typeof bytes === 'string') return Buffer.from(bytes);
  }
  if (/\bjson\b/i.test(headers['content-type'] ?? '')) return Buffer.from(JSON.stringify(body));
  throw new Error('The body was read before capix could. Put its handler before the parser of bodies.');
}
