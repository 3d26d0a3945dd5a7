import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol: whatever else is written to it from now on (`console.log` in a handler) goes to
 * stderr. Gives the stream that still writes to stdout. Claimed once for the process.
 */
export function claimStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)),
  });
}
