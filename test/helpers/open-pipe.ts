import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface OpenPipe {
  /** Descriptor for the process that writes. */
  readonly writeEnd: number;
  /** Everything that is written, once no process has the end for writing; ours is closed by this. */
  readonly readAll: () => Promise<string>;
}

/** A program makes them, and is started once for so many. */
const MADE_AT_ONCE = 64;
const waiting: OpenPipe[] = [];

/**
 * Opens a pipe as a shell does between two commands. What Node calls a pipe to a child process is a socket, which a process cannot open again by its name.
 */
export function openPipe(): OpenPipe {
  if (waiting.length === 0) waiting.push(...makePipes());
  return waiting.pop()!;
}

function makePipes(): readonly OpenPipe[] {
  const folder = mkdtempSync(join(tmpdir(), 'capix-pipes-'));
  const paths = Array.from({ length: MADE_AT_ONCE }, (_, index) => join(folder, String(index)));
  // Another user may open its end again by its name.
  execFileSync('mkfifo', ['-m', '666', ...paths]);
  const pipes = paths.map((path) => {
    // Without a writer yet, the end for reading opens at once only where it does not wait.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    const readAll = (): Promise<string> => {
      const reading = text(new Socket({ fd: readEnd, readable: true, writable: false }));
      closeSync(writeEnd);
      return reading;
    };
    return { writeEnd, readAll };
  });
  // They need no names: who has an end can open it again.
  rmSync(folder, { recursive: true });
  return pipes;
}
