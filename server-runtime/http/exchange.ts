import type { Readable } from 'node:stream';

/** Names and values in turn: `['content-type', 'application/json', …]`, as `writeHead` takes them without a copy. */
export type RawHeaders = readonly string[];

/** A body, or in its place: it is longer than it may be; it broke off, and its sender still waits for an answer. */
export type ReceivedBytes = Buffer | 'too long' | 'broken off';

/** One HTTP request and the way back to its caller, whatever carries it: node:http or fetch. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string | undefined;
  /** Bytes of the body: 0 without one, NaN where it was not said. */
  readonly bodyLength: number;
  /** Reads the body and gives it to `done`, or why it is not there. Not called when the caller leaves. */
  readBytes(maxBytes: number, done: (body: ReceivedBytes) => void): void;
  /** The body as it arrives. Read it or use `readBytes`, not both. */
  readonly body: Readable;
  /** Asks that the connection ends with its answer. */
  endsConnection: boolean;
  /** Answers. Does nothing when the caller has left, and where somebody else has answered. */
  send(status: number, headers: RawHeaders, body: string | Uint8Array | undefined): void;
  /** Answers with a stream, as fast as the caller reads; the stream is destroyed when the caller leaves. */
  sendStream(status: number, headers: RawHeaders, body: Readable): void;
  /** Called once when the caller leaves before it has the whole answer. */
  onLeave(listener: () => void): void;
}

/**
 * Reads a stream of bytes to its end and gives them to `done`, or says so once they are more than `maxBytes`; what
 * comes after that is thrown away. A body in one chunk, as most are, is not copied.
 */
export function readBytes(stream: Readable, maxBytes: number, done: (body: ReceivedBytes) => void): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBytes) {
      stream.off('data', take).off('end', end).resume();
      done('too long');
    } else if (first === undefined) first = chunk;
    else (rest ??= [first]).push(chunk);
  };
  const end = (): void => done(rest === undefined ? (first ?? EMPTY) : Buffer.concat(rest, length));
  // Asked once, a stream hands its bytes on as they come, also those before a fault.
  stream.read(0);
  stream.on('data', take).on('end', end);
}

const EMPTY = Buffer.alloc(0);
