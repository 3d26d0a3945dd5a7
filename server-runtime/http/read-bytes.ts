import type { Readable } from 'node:stream';
import type { ReceivedBytes } from './exchange.ts';

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
