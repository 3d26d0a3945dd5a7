import { PassThrough, pipeline, Readable } from 'node:stream';
import { sliceBody } from '../patches/slice-body.ts';
import {
  type Exchange,
  isLong,
  isStream,
  type RawHeaders,
  type ReceivedBytes,
  type ResponseBody,
  readBytes,
  WORTH_READING,
} from './exchange.ts';

/** An exchange over the Request and Response of fetch. */
export class FetchExchange implements Exchange {
  endsConnection = false;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
  readonly bodyLength: number;
  /** The response, once there is one. Rejects when the caller aborts before. */
  readonly response: Promise<Response>;
  readonly #request: Request;
  #body: Readable | undefined;
  #respond!: (response: Response) => void;
  #fail!: (reason: unknown) => void;
  #leave: (() => void) | undefined;

  constructor(request: Request, remoteAddress: string | undefined) {
    const { pathname, search, host } = new URL(request.url);
    this.method = request.method;
    this.url = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.remoteAddress = remoteAddress;
    this.bodyLength =
      request.body === null ? 0 : Number(this.headers['content-length'] ?? Number.NaN);
    this.#request = request;
    this.response = new Promise((resolve, reject) => {
      this.#respond = resolve;
      this.#fail = reject;
    });
  }

  get isSecure(): boolean {
    return this.#request.url.startsWith('https:');
  }

  get body(): Readable {
    const { body } = this.#request;
    this.#body ??=
      body === null
        ? Readable.from([])
        : sliceBody(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
    return this.#body;
  }

  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void {
    // The body fails too when the request is aborted, which is heard of by its signal.
    const fail = (): void => {
      if (!this.#request.signal.aborted) done('broken off');
    };
    if (isLong(this.bodyLength, Math.min(maxBytes, WORTH_READING)))
      return readBytes(this.body.on('error', fail), maxBytes, done);
    // A stream costs half of a small request on Bun and two thirds on Deno.
    const take = (bytes: ArrayBuffer): void =>
      done(bytes.byteLength > maxBytes ? 'too long' : Buffer.from(bytes));
    this.#request.arrayBuffer().then(take, fail);
  }

  send(status: number, headers: RawHeaders, body: ResponseBody): void {
    // Checked here: an adapter (`@hono/node-server`) looks at the headers of its `Response` only when it is sent.
    const checked = new Headers();
    for (let at = 0; at + 1 < headers.length; at += 2)
      checked.append(headers[at] ?? '', headers[at + 1] ?? '');
    if (!isStream(body)) this.#giveUpBody();
    const content = isStream(body)
      ? this.#toWebStream(body)
      : (body as string | Uint8Array<ArrayBuffer> | undefined);
    this.#respond(
      new Response(this.method === 'HEAD' ? null : (content ?? null), { status, headers: checked }),
    );
  }

  onLeave(listener: () => void): void {
    const { signal } = this.#request;
    const leave = (): void => {
      this.#fail(signal.reason);
      listener();
    };
    this.#leave = listener;
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  }

  /** The stream may hold text; fetch sends bytes. */
  #toWebStream(body: Readable): ReadableStream<Uint8Array> {
    const bytes = new PassThrough();
    pipeline(body, bytes, () => {});
    bytes.once('close', () => {
      if (!bytes.readableEnded) this.#leave?.();
    });
    this.#request.signal.addEventListener('abort', () => bytes.destroy());
    return Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
  }

  /**
   * Throws away the rest of a body that was read in part, and cancels a long rest. It cancels between two chunks: a
   * stream of Node's fetch that is cancelled during a read rejects where no code can catch it.
   */
  #giveUpBody(): void {
    const body = this.#body;
    if (body === undefined || body.readableEnded || body.destroyed) return;
    let rest = WORTH_READING;
    const drop = (chunk: Buffer): void => {
      rest -= chunk.length;
      if (rest < 0) body.destroy();
    };
    body.on('error', () => {});
    body.on('data', drop).resume();
  }
}
