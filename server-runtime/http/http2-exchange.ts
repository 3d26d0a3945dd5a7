import type { Http2ServerRequest, Http2ServerResponse, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { pipeline, type Readable } from 'node:stream';
import type { Exchange, RawHeaders, ReceivedBytes } from './exchange.ts';
import { nodeHttp } from './node/node-http.ts';
import { readBytes } from './read-bytes.ts';

/** An exchange over one stream of node:http2. Streams end by themselves, so nothing is said of the connection. */
export class Http2Exchange implements Exchange {
  endsConnection = false;
  readonly #request: Http2ServerRequest;
  readonly #response: Http2ServerResponse;
  #headers: Exchange['headers'] | undefined;

  constructor(request: Http2ServerRequest, response: Http2ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get method(): string {
    return this.#request.method;
  }
  get url(): string {
    return this.#request.url;
  }
  get headers(): Exchange['headers'] {
    this.#headers ??= withHost(this.#request.headers);
    return this.#headers;
  }
  get remoteAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
  }
  get bodyLength(): number {
    const length = this.#request.headers['content-length'];
    if (length !== undefined) return Number(length);
    return this.#request.stream.endAfterHeaders ? 0 : Number.NaN;
  }
  get body(): Readable {
    return this.#request;
  }

  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    readBytes(this.#request, maxBytes, done);
  }

  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void {
    const { stream } = this.#response;
    if (stream.destroyed) return;
    const endStream = body === undefined || this.method === 'HEAD';
    stream.respond({ ':status': status, ...toHeaderObject(headers) }, { endStream });
    if (!endStream) stream.end(body);
  }

  sendStream(status: number, headers: RawHeaders, body: Readable): void {
    const { stream } = this.#response;
    if (stream.destroyed || this.method === 'HEAD') {
      body.destroy();
      return this.send(status, headers, undefined);
    }
    stream.respond({ ':status': status, ...toHeaderObject(headers) });
    pipeline(body, stream, () => {});
  }

  onLeave(listener: () => void): void {
    this.#request.stream.once('aborted', listener);
  }
}

/** As HTTP/1.1 has them: the host under its name, and none of those that are not headers. */
function withHost({ ':authority': authority, ...headers }: IncomingHttpHeaders): Exchange['headers'] {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return { ...(authority === undefined ? {} : { host: authority }), ...Object.fromEntries(named) };
}

function toHeaderObject(raw: RawHeaders): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = {};
  const { validateHeaderName, validateHeaderValue } = nodeHttp();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    // node:http2 would send what it cannot write as something else.
    validateHeaderName(name);
    validateHeaderValue(name, value);
    (headers[name] ??= []).push(value);
  }
  return headers;
}
