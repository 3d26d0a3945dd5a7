import { PassThrough, pipeline, Readable } from 'node:stream';
import { type Exchange, type RawHeaders, type ReceivedBytes, readBytes } from './exchange.ts';

/**
 * The longest rest of a body that is read to its end in place of being cancelled, bytes. A body that is said to be no
 * longer is not read as a stream, which costs half of a small request on Bun and two thirds on Deno.
 */
const WORTH_READING = 65_536;

/** An exchange over the Request and Response of fetch. */
export class FetchExchange implements Exchange {
  endsConnection = false;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
  /** The answer, once there is one. Rejects when the exchange is broken off before. */
  readonly response: Promise<Response>;
  readonly #request: Request;
  #body: Readable | undefined;
  #answer!: (response: Response) => void;
  #fail!: (reason: unknown) => void;
  #leave: (() => void) | undefined;

  constructor(request: Request, remoteAddress: string | undefined) {
    const { pathname, search, host } = new URL(request.url);
    this.method = request.method;
    this.url = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.remoteAddress = remoteAddress;
    this.#request = request;
    this.response = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
  }

  get bodyLength(): number {
    if (this.#request.body === null) return 0;
    return this.headers['content-length'] === undefined ? Number.NaN : Number(this.headers['content-length']);
  }
  get body(): Readable {
    const { body } = this.#request;
    this.#body ??= body === null ? Readable.from([]) : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    return this.#body;
  }

  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    let isDone = false;
    const end = (body: ReceivedBytes): void => {
      if (isDone) return;
      isDone = true;
      done(typeof body === 'string' ? body : Buffer.from(body));
    };
    // The body fails too when the request is aborted, which is heard of by its signal.
    const fail = (): void => {
      if (!this.#request.signal.aborted) end('broken off');
    };
    if (this.bodyLength <= Math.min(maxBytes, WORTH_READING)) {
      this.#request
        .arrayBuffer()
        .then((bytes) => end(bytes.byteLength > maxBytes ? 'too long' : Buffer.from(bytes)), fail);
      return;
    }
    this.body.on('error', fail);
    readBytes(this.body, maxBytes, end);
  }

  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void {
    this.#giveUpBody();
    const content = this.method === 'HEAD' || body === undefined ? null : (body as string | Uint8Array<ArrayBuffer>);
    this.#answer(new Response(content, { status, headers: toHeaders(headers) }));
  }

  sendStream(status: number, headers: RawHeaders, body: Readable): void {
    if (this.method === 'HEAD') {
      body.destroy();
      return this.send(status, headers, undefined);
    }
    // The stream may be of text; what fetch sends is bytes.
    const bytes = new PassThrough();
    pipeline(body, bytes, () => {});
    bytes.once('close', () => {
      if (!bytes.readableEnded) this.#leave?.();
    });
    this.#request.signal.addEventListener('abort', () => bytes.destroy());
    this.#answer(
      new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, { status, headers: toHeaders(headers) }),
    );
  }

  onLeave(listener: () => void): void {
    this.#leave = (): void => {
      this.#leave = undefined;
      listener();
    };
    const { signal } = this.#request;
    const leave = (): void => {
      this.#fail(signal.reason);
      this.#leave?.();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  }

  /**
   * The rest of a body that was read in part is thrown away, and a long rest is cancelled: between two chunks, because
   * a stream of Node's fetch that is cancelled while it is read rejects where nobody can catch it.
   */
  #giveUpBody(): void {
    const body = this.#body;
    if (body === undefined || body.readableEnded || body.destroyed) return;
    let rest = WORTH_READING;
    body.on('error', () => {});
    body.on('data', (chunk: Buffer) => {
      rest -= chunk.length;
      if (rest < 0) body.destroy();
    });
    body.resume();
  }
}

/**
 * Checked here: the `Response` that an adapter (`@hono/node-server`) puts in place of the platform's looks at pairs
 * only when it is sent.
 *
 * @throws TypeError for a name or value that cannot be sent
 */
function toHeaders(headers: RawHeaders): Headers {
  const checked = new Headers();
  for (let at = 0; at + 1 < headers.length; at += 2) checked.append(headers[at] ?? '', headers[at + 1] ?? '');
  return checked;
}
