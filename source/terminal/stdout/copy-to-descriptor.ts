import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { pauseBriefly } from './pause-briefly.ts';

const STDOUT = 1;

/** A way to a descriptor that this process itself gives up. */
export interface DescriptorCopy {
  /** The descriptor to write to, in place of that one. */
  readonly descriptor: number;
  /** Whether something can still arrive: it cannot once the reader has gone, and the number may be that of something else by then. */
  readonly isOpen: () => boolean;
  /** Resolves when all has arrived: false where it could not. */
  readonly arrived: () => Promise<boolean>;
  /** The same at once, for the end of the process. */
  readonly arriveAtOnce: () => void;
}

/**
 * Starts a process that copies what it is sent to a descriptor, which it has from now on as this process had it: with the same place in a file.
 * It takes 3 ms of CPU. The writing end gets the lowest number that is free. Undefined where the system has no `cat`.
 */
export function copyToDescriptor(target: number): DescriptorCopy | undefined {
  // A group of its own: Ctrl-C must not end it before it has copied what it got.
  const child = spawn('cat', [], { stdio: ['pipe', target, 'inherit', 'pipe'], detached: true });
  child.once('error', () => {});
  const [input, , , end] = child.stdio as unknown as readonly [Socket, null, null, Socket];
  const descriptor = descriptorOf(input);
  const endDescriptor = descriptorOf(end);
  if (child.pid === undefined || descriptor === undefined || endDescriptor === undefined) return undefined;
  for (const stream of [child, input, end]) stream.unref();
  input.on('error', () => {});
  let exitCode: number | null | undefined;
  child.once('exit', (code) => {
    exitCode = code;
    // Node has closed it. What is written to stdout must not get into a file that is opened later.
    if (descriptor === STDOUT) openSync('/dev/null', 'w');
  });
  return {
    descriptor,
    isOpen: () => exitCode === undefined,
    arrived: async () => {
      child.ref();
      input.end();
      if (exitCode === undefined) await once(child, 'exit');
      // None where its reader went away.
      return (exitCode ?? 0) === 0;
    },
    arriveAtOnce: () => {
      if (exitCode !== undefined || end.destroyed) return;
      closeSync(descriptor);
      waitForEnd(endDescriptor);
    },
  };
}

/** Node says in no other way which descriptor a stream has. */
function descriptorOf(stream: object): number | undefined {
  const { _handle: handle } = stream as { readonly _handle?: { readonly fd?: number } | null };
  return handle?.fd !== undefined && handle.fd > 0 ? handle.fd : undefined;
}

/** The descriptor ends where nobody has the other side any more. */
function waitForEnd(descriptor: number): void {
  for (;;) {
    try {
      if (readSync(descriptor, new Uint8Array(1)) === 0) return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      pauseBriefly();
    }
  }
}
