import type { Readable } from 'node:stream';

/** The stream stdin, for a command that reads what comes as it comes. */
export function standardInput(): Readable {
  return process.stdin;
}
