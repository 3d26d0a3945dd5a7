import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReceivedBytes } from '../exchange.ts';
import { NodeExchange } from '../node-exchange.ts';

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
