import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { constants as system } from 'node:os';
import { isatty } from 'node:tty';
import { attempt } from '../values/attempt.ts';

const STDOUT = 1;
const SIGNAL_EXIT = 128;
const STDERR = 2;
/** Tells a process which descriptor stdout has, where its descriptor 1 is stderr. */
const VARIABLE = 'CAPIX_STDOUT';

/** The descriptor that data goes to; undefined where it is stdout as usual. */
let dataDescriptor: number | undefined;

/** Whether descriptor 1 is stderr, so that `process.stdout` says nothing about where data goes. */
export function hasOwnStdout(): boolean {
  return dataDescriptor !== undefined;
}

/**
 * Keeps stdout for the data of the command: descriptor 1 is stderr from now on, whoever writes. Node cannot duplicate a
 * descriptor, but the system gives the lowest free one to what is opened next, and opens a pipe or a device again by
 * its name. False for a socket, and for a file, which would be written from another place.
 */
export function keepStdout(): boolean {
  const inherited = process.env[VARIABLE];
  delete process.env[VARIABLE];
  if (inherited !== undefined) {
    dataDescriptor = Number(inherited);
    return true;
  }
  if (isatty(STDOUT) || process.platform === 'win32') return true;
  const [data, other] = [STDOUT, STDERR].map(openAgain);
  if (other !== undefined) closeSync(other);
  if (data === undefined || other === undefined) {
    if (data !== undefined) closeSync(data);
    return false;
  }
  dataDescriptor = data;
  closeSync(STDOUT);
  // It takes the number that has become free.
  openAgain(STDERR);
  return true;
}

/**
 * Runs this command in another process, with stderr as descriptor 1 and stdout as 3, and ends as that does. It costs 50
 * to 80 ms of CPU.
 */
export async function runApart(argv: readonly string[]): Promise<never> {
  const { spawn } = await import('node:child_process');
  const words = argv.slice(1);
  // Without the dashes Node 20 takes an `--env-file` of the command for its own.
  const child = spawn(process.execPath, [...process.execArgv, '--', ...words], {
    stdio: [0, 2, 2, 1],
    env: { ...process.env, [VARIABLE]: '3' },
  });
  // Ctrl-C in a terminal reaches both; other signals are sent to this process alone, and so is SIGINT by a program.
  const isInTerminal = isatty(0) || isatty(2);
  process.on('SIGINT', () => void (isInTerminal || child.kill('SIGINT')));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void child.kill(signal));
  return new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      process.exit(code ?? SIGNAL_EXIT + system.signals[signal ?? 'SIGKILL']),
    );
  });
}

/** Undefined for what cannot be opened again, as the terminal of another user. */
function openAgain(descriptor: number): number | undefined {
  const stats = fstatSync(descriptor);
  if (!stats.isFIFO() && !stats.isCharacterDevice()) return undefined;
  return attempt(() => openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY));
}

/**
 * Writes to stdout, wherever that is; all of it is written when the function returns, where stdout belongs to the
 * command.
 */
export function writeToStdout(text: string): void {
  if (dataDescriptor === undefined) process.stdout.write(text);
  else writeAll(dataDescriptor, Buffer.from(text));
}

/** The same for a process that ends with this turn. */
export function writeToStdoutAtOnce(text: string): void {
  if (dataDescriptor === undefined) writeSync(STDOUT, text);
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
      // The reader is slow, and nothing tells when it goes on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, 1);
    }
  }
}
