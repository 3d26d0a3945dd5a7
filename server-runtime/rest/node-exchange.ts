import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Exchange, RawHeaders } from './exchange.ts';

/** An exchange over node:http. */
export class NodeExchange implements Exchange {
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
  get body(): Readable {
    return this.#request;
  }

  readBytes(maxBytes: number, done: (bytes: Buffer | undefined) => void): void {
    const request = this.#request;
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) {
        request.off('data', take).off('end', end);
        done(undefined);
      } else if (first === undefined) first = chunk;
      else (rest ??= [first]).push(chunk);
    };
    const end = (): void => done(rest === undefined ? (first ?? EMPTY) : Buffer.concat(rest, length));
    request.on('data', take).on('end', end);
  }

  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void {
    const response = this.#response;
    if (response.destroyed) return;
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.end();
    else response.end(body);
  }

  sendStream(status: number, headers: RawHeaders, body: Readable): void {
    const response = this.#response;
    if (response.destroyed) {
      body.destroy();
      return;
    }
    response.writeHead(status, headers as string[]);
    response.flushHeaders();
    pipeline(body, response, () => {});
  }

  onLeave(listener: () => void): void {
    const response = this.#response;
    response.once('close', () => {
      if (!response.writableFinished) listener();
    });
  }
}

const EMPTY = Buffer.alloc(0);
