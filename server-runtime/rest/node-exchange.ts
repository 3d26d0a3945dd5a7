import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Exchange, RawHeaders } from './exchange.ts';
import { readBytes } from './read-bytes.ts';

/** The longest rest of a body that is read to its end to keep a connection that has its answer, bytes. */
const WORTH_READING = 65_536;
/** How long a caller who is still sending has to see its answer before the connection ends, milliseconds. */
const LINGER_MS = 1000;

/** An exchange over node:http. */
export class NodeExchange implements Exchange {
  endsConnection = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
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
  get bodyLength(): number {
    const { headers } = this.#request;
    const length = headers['content-length'];
    if (length !== undefined) return Number(length);
    return headers['transfer-encoding'] === undefined ? 0 : Number.NaN;
  }
  get body(): Readable {
    return this.#request;
  }

  readBytes(maxBytes: number, done: (bytes: Buffer | undefined) => void): void {
    readBytes(this.#request, maxBytes, done);
  }

  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void {
    const response = this.#response;
    if (response.destroyed) return;
    const lingers = this.#mustLinger();
    response.writeHead(status, this.#withConnection(headers, lingers) as string[]);
    if (lingers) this.#endLater(body);
    else if (body === undefined) response.end();
    else response.end(body);
  }

  sendStream(status: number, headers: RawHeaders, body: Readable): void {
    const response = this.#response;
    if (response.destroyed || this.method === 'HEAD') {
      body.destroy();
      if (!response.destroyed) response.writeHead(status, this.#withConnection(headers, false) as string[]).end();
      return;
    }
    response.writeHead(status, this.#withConnection(headers, this.#mustLinger()) as string[]);
    response.flushHeaders();
    pipeline(body, response, () => {});
  }

  onLeave(listener: () => void): void {
    const response = this.#response;
    let finished = false;
    response.once('finish', () => (finished = true));
    response.once('close', () => {
      if (!finished) listener();
    });
  }

  #withConnection(headers: RawHeaders, ends: boolean): RawHeaders {
    return ends || this.endsConnection ? [...headers, 'connection', 'close'] : headers;
  }

  /** Whether more of the body is on its way than is worth reading. */
  #mustLinger(): boolean {
    return !this.#request.complete && !(this.bodyLength <= WORTH_READING);
  }

  /**
   * Closing on a caller who is still sending resets the connection, and the answer is lost. So the answer is written whole,
   * and the connection ends when the caller has stopped sending, or after a while.
   */
  #endLater(body: string | Uint8Array | undefined): void {
    const request = this.#request;
    const response = this.#response;
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
