import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { copyToDescriptor, DescriptorCopy } from './copy-to-descriptor.ts';
import { pauseBriefly } from './pause-briefly.ts';

const STDOUT = 1;
const STDERR = 2;
/** Tells a process which descriptor stdout has, where its descriptor 1 is stderr. */
export const STDOUT_VARIABLE = 'CAPIX_STDOUT';

/** The descriptor that data goes to; undefined where it is stdout as usual. */
let kept: number | undefined;
/** The way from there to stdout, where it leads through another process. */
let copied: DescriptorCopy | undefined;

/** Whether descriptor 1 is stderr, so that `process.stdout` says nothing about where data goes. */
export function isStdoutKept(): boolean {
  return kept !== undefined;
}

/**
 * Keeps stdout for the data of the command: descriptor 1 is stderr from now on, so that nothing else can reach it, whoever writes (`fs.writeSync(1, …)`, a
 * program that the project's code starts, native code). Node cannot duplicate a descriptor, but the system gives the lowest one that is free to what is
 * opened next, and opens a pipe or a device again by its name. A socket cannot be opened again, and a file would be written from another place: they need
 * `copy`. False where it is missing, or cannot be had.
 */
export function keepStdout(copy?: typeof copyToDescriptor): boolean {
  const given = process.env[STDOUT_VARIABLE];
  delete process.env[STDOUT_VARIABLE];
  if (given !== undefined && /^\d$/.test(given)) {
    kept = Number(given);
    return true;
  }
  if (isatty(STDOUT) || process.platform === 'win32') return true;
  const other = openAgain(STDERR);
  if (other === undefined && copy === undefined) return false;
  // The first process that is started takes descriptors for itself, so that is not the one whose number matters.
  const data = copy === undefined ? openAgain(STDOUT) : openCopy(copy);
  if (other !== undefined) closeSync(other);
  if (data === undefined) return false;
  kept = data;
  closeSync(STDOUT);
  // Each of these takes the number that has become free.
  if (openAgain(STDERR) === undefined && copy?.(STDERR)?.descriptor !== STDOUT) openSync('/dev/null', 'w');
  return true;
}

function openCopy(copy: typeof copyToDescriptor): number | undefined {
  copied = copy(STDOUT);
  if (copied !== undefined) process.on('exit', copied.arriveAtOnce);
  return copied?.descriptor;
}

/** Undefined for what cannot be opened again, as the terminal of another user. */
function openAgain(descriptor: number): number | undefined {
  const stats = fstatSync(descriptor);
  if (!stats.isFIFO() && !stats.isCharacterDevice()) return undefined;
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY);
  } catch {
    return undefined;
  }
}

/** Resolves when all that was written has arrived at stdout; then nothing more can be written. False where it could not, which stderr says. */
export async function stdoutWritten(): Promise<boolean> {
  if (copied === undefined || (await copied.arrived())) return true;
  process.stderr.write('error: The output could not be written.\n');
  return false;
}

/** Writes to stdout, wherever that is; all of it is written when the function returns, where stdout is kept. */
export function writeToStdout(text: string): void {
  if (copied?.isOpen() === false) process.exit();
  if (kept === undefined) process.stdout.write(text);
  else writeAll(kept, Buffer.from(text));
}

/** The same for a process that ends with this turn. */
export function writeToStdoutAtOnce(text: string): void {
  if (kept === undefined) writeSync(STDOUT, text);
  else writeToStdout(text);
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
      pauseBriefly();
    }
  }
}
