import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDOUT = 1;
const STDERR = 2;
/** Tells a process which descriptor stdout has, where its descriptor 1 is stderr. */
export const STDOUT_VARIABLE = 'CAPIX_STDOUT';

/** The descriptor that data goes to; undefined where it is stdout as usual. */
let kept: number | undefined;

/** Whether descriptor 1 is stderr, so that `process.stdout` says nothing about where data goes. */
export function isStdoutKept(): boolean {
  return kept !== undefined;
}

/** The descriptor that data goes to: 1, or another one where 1 is stderr. */
export function stdoutDescriptor(): number {
  return kept ?? STDOUT;
}

/**
 * Keeps stdout for the data of the command: descriptor 1 is stderr from now on, so that nothing else can reach it, whoever writes (`fs.writeSync(1, …)`, a
 * program that the project's code starts, native code). Node cannot duplicate a descriptor, but the system gives the lowest one that is free to what is
 * opened next, and opens a pipe or a device again by its name. False where that cannot be done in this process: a socket cannot be opened
 * again, and a file would be written from another place.
 */
export function keepStdout(): boolean {
  const given = process.env[STDOUT_VARIABLE];
  delete process.env[STDOUT_VARIABLE];
  if (given !== undefined && /^\d$/.test(given)) {
    kept = Number(given);
    return true;
  }
  if (isatty(STDOUT) || process.platform === 'win32') return true;
  if (!canBeOpenedAgain(STDOUT) || !canBeOpenedAgain(STDERR)) return false;
  try {
    const other = openAgain(STDERR);
    kept = openAgain(STDOUT);
    closeSync(STDOUT);
    openAgain(STDERR);
    closeSync(other);
    return true;
  } catch {
    return false; // A terminal of another user cannot be opened.
  }
}

function canBeOpenedAgain(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isCharacterDevice();
}

function openAgain(descriptor: number): number {
  return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY);
}

/** Writes to stdout, wherever that is; all of it is written when the function returns, where stdout is kept. */
export function writeToStdout(text: string): void {
  if (kept === undefined) process.stdout.write(text);
  else writeAll(kept, Buffer.from(text));
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit();
      if (code !== 'EAGAIN') {
        process.stderr.write(`error: The output could not be written: ${message}.\n`);
        process.exit(1);
      }
      // The reader is slow.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
